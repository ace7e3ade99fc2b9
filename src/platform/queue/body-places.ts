import type { Readable } from 'node:stream';
import { ServiceError } from '../../kernel/errors/service-error.js';
import { SENDING_PACE } from '../openapi/accepts.js';
import { type Bounds, FairQueue, turnInTime } from './fair-queue.js';

export interface PacedBody extends Readable {
  /** Bytes a second over the last seconds; undefined if reading paused meanwhile. */
  readonly pace: number | undefined;
}

interface Sender {
  readonly client: string;
  readonly body: PacedBody;
  readonly signal: AbortSignal;
}

interface BodyBounds extends Bounds {
  /** Waits for a place even if nobody gives way. */
  readonly mayWait: boolean;
  readonly waitMs: number;
  readonly tooMany: () => ServiceError;
}

const LOOK_MS = 1_000;

/**
 * Places for arriving bodies, fair between clients. While others wait, bodies below the least pace give way, the
 * slowest first: dripping costs a sender nothing.
 */
export class BodyPlaces {
  private readonly queue: FairQueue;
  private readonly received = new Set<PacedBody>();
  private look: NodeJS.Timeout | undefined;

  constructor(private readonly bounds: BodyBounds) {
    this.queue = new FairQueue(bounds);
  }

  /** Throws `tooMany()` without a place in time, and the reason of the signal. */
  run<T>({ client, body, signal: hungUp }: Sender, work: () => Promise<T>): Promise<T> {
    const { mayWait, waitMs, tooMany } = this.bounds;
    if (!mayWait && !this.queue.hasPlaceFor(client) && !this.willHavePlaceFor(client)) {
      return Promise.reject(tooMany());
    }
    const done = turnInTime(this.queue, client, { waitMs, hungUp, tooMany }, async () => {
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

  private willHavePlaceFor(client: string): boolean {
    return this.queue.mayHaveMore(client) && this.leaving + this.slow().length > this.queue.wanted;
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
