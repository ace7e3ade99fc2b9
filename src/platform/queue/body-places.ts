import type { Readable } from 'node:stream';
import { ServiceError } from '../../kernel/errors/service-error.js';
import { SENDING_PACE } from '../openapi/accepts.js';
import { type Bounds, FairQueue, turnInTime } from './fair-queue.js';

/** The body of a request while it comes. */
export interface PacedBody extends Readable {
  /** How fast it has come in the last seconds, in bytes a second; undefined if it was not waited for all the time. */
  readonly pace: number | undefined;
}

/** One of those that want a place. */
interface Sender {
  readonly client: string;
  readonly body: PacedBody;
  /** Aborts when there is no point in waiting for a place any more. */
  readonly signal: AbortSignal;
}

interface BodyBounds extends Bounds {
  /** Whether whoever finds no place waits for one, though nobody gives way. */
  readonly mayWait: boolean;
  /** The longest wait. */
  readonly waitMs: number;
  /** What is thrown if there is no place. */
  readonly tooMany: () => ServiceError;
}

/** How often places are looked for while somebody waits. */
const LOOK_MS = 1_000;

/**
 * A limited number of places for bodies that are received, fair between clients. While others wait, those that come
 * below the least pace give way, the slowest first: it costs nothing to hold a place with a body that drips.
 */
export class BodyPlaces {
  private readonly queue: FairQueue;
  private readonly received = new Set<PacedBody>();
  private look: NodeJS.Timeout | undefined;

  constructor(private readonly bounds: BodyBounds) {
    this.queue = new FairQueue(bounds);
  }

  /** Runs the work when there is a place. Throws `tooMany()` without one in time, and the reason of the signal. */
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

  /** Whether so many give way that there is a place for one more. */
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

  /** How many have ended, and will soon give their place back. */
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
    // Nothing more of its body is read.
    { headers: { 'retry-after': '10', connection: 'close' }, refusal: 'upload-gave-way' },
  );
