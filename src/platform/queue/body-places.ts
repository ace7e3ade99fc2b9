import type { Readable } from 'node:stream';
import { ServiceError } from '../../kernel/errors/service-error.js';
import { SENDING_PACE } from '../dto/accepts.js';
import { type FairQueue, type Patience, turnInTime } from './fair-queue.js';

export interface PacedBody extends Readable {
  /** Bytes a second over the last seconds; undefined if reading paused meanwhile. */
  readonly pace: number | undefined;
}

export interface Sender {
  readonly client: string;
  readonly body: PacedBody;
  readonly hungUp: AbortSignal;
}

const LOOK_MS = 1_000;

/** While others wait, bodies below the least pace give way, the slowest first: dripping gains nothing. */
export class BodyPlaces {
  private readonly received = new Set<PacedBody>();
  private look: NodeJS.Timeout | undefined;

  constructor(
    private readonly queue: FairQueue,
    private readonly patience: Patience,
  ) {}

  /** Throws `tooMany()` without a place in time, and the reason of the signal. */
  run<T>({ client, body, hungUp }: Sender, work: () => Promise<T>): Promise<T> {
    const done = turnInTime(this.queue, client, { ...this.patience, hungUp }, async () => {
      this.received.add(body);
      try {
        return await work();
      } finally {
        this.received.delete(body);
      }
    });
    this.makeRoom();
    return done;
  }

  private makeRoom(): void {
    clearTimeout(this.look);
    const { wanted } = this.queue;
    if (wanted === 0) return;
    const toLeave = Math.max(0, wanted - this.leaving);
    for (const body of this.slow().slice(0, toLeave)) body.destroy(gaveWay());
    this.look = setTimeout(() => {
      this.makeRoom();
    }, LOOK_MS).unref();
  }

  /** Ended, with their places still to be returned. */
  private get leaving(): number {
    return [...this.received].filter(({ destroyed }) => destroyed).length;
  }

  private slow(): readonly PacedBody[] {
    const paceOf = ({ pace = Infinity }: PacedBody): number => pace;
    return [...this.received]
      .filter((body) => !body.destroyed && paceOf(body) < SENDING_PACE.leastBytesPerSecond)
      .sort((one, other) => paceOf(one) - paceOf(other));
  }
}

const gaveWay = (): ServiceError =>
  new ServiceError(
    'SERVICE_UNAVAILABLE',
    `The place of this upload was given to another, as it came at less than ${SENDING_PACE.leastBytesPerSecond} bytes a second; try again later`,
    // The rest of the body is not read.
    { headers: { 'retry-after': '10', connection: 'close' }, refusal: 'upload-gave-way' },
  );
