import { Injectable } from '@nestjs/common';
import { MIB } from '../../../kernel/domain/bytes.js';
import { ServiceError } from '../../../kernel/errors/service-error.js';
import { FairQueue } from '../../../platform/queue/fair-queue.js';
import { Refusals } from '../../../platform/queue/refusals.js';
import { READING_PACE } from '../answer/streamed-body.js';

const MOST_BYTES = 256 * MIB;
const RETRY_AFTER_SECONDS = '1';

interface Sent {
  readonly destroyed: boolean;
  once(event: 'close', listener: () => void): unknown;
  destroy(): unknown;
}

interface Held {
  bytes: number;
  late: NodeJS.Timeout | undefined;
  readonly closed: Promise<void>;
}

const NEVER = new AbortController().signal;

/** Bounds memory and time of answers in transit: a client that takes less than 16 kB/s is cut off. */
@Injectable()
export class AnswersInFlight {
  private readonly room = new FairQueue({ atOnce: MOST_BYTES, ofOne: MOST_BYTES / 2, mostWaiting: 0 });
  private readonly held = new WeakMap<Sent, Held>();

  constructor(private readonly refusals: Refusals) {}

  /** Held until sent or cut off. Throws 503 SERVICE_UNAVAILABLE when there is no room. */
  hold(client: string, bytes: number, sent: Sent): void {
    if (sent.destroyed) return;
    if (!this.room.hasPlaceFor(client, bytes)) {
      throw new ServiceError('SERVICE_UNAVAILABLE', 'Too many answers wait for their clients to take them', {
        headers: { 'retry-after': RETRY_AFTER_SECONDS },
        refusal: 'answers-held',
      });
    }
    const held = this.heldFor(sent);
    held.bytes += bytes;
    void this.room.run(client, NEVER, () => held.closed, bytes);
    const { leastBytesPerSecond, overMs } = READING_PACE;
    const cutOff = (): void => {
      this.refusals.note('slow-reader', client);
      sent.destroy();
    };
    clearTimeout(held.late);
    held.late = setTimeout(cutOff, overMs + (1_000 * held.bytes) / leastBytesPerSecond).unref();
  }

  isHeld(sent: Sent): boolean {
    return this.held.has(sent);
  }

  /** An answer may consist of several pieces. */
  private heldFor(sent: Sent): Held {
    const known = this.held.get(sent);
    if (known !== undefined) return known;
    const closed = new Promise<void>((resolve) => {
      sent.once('close', () => {
        clearTimeout(held.late);
        resolve();
      });
    });
    const held: Held = { bytes: 0, late: undefined, closed };
    this.held.set(sent, held);
    return held;
  }
}
