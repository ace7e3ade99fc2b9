import { Injectable } from '@nestjs/common';
import { Capacities } from '../../platform/queue/capacities.js';
import { Refusals } from '../../platform/queue/refusals.js';
import { READING_PACE } from './answer/streamed-body.js';

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

/** Bounds memory and time of answers in transit: a client that takes less than 16 kB/s is cut off. */
@Injectable()
export class AnswersInFlight {
  private readonly held = new WeakMap<Sent, Held>();

  constructor(
    private readonly refusals: Refusals,
    private readonly capacities: Capacities,
  ) {}

  /** Held until sent or cut off. Throws 503 SERVICE_UNAVAILABLE when there is no room. */
  hold(client: string, bytes: number, sent: Sent): void {
    if (sent.destroyed) return;
    const held = this.held.get(sent) ?? heldUntilClosed(sent);
    this.capacities.hold('answers', client, bytes, held.closed);
    this.held.set(sent, held);
    held.bytes += bytes;
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
}

/** An answer may consist of several pieces. */
function heldUntilClosed(sent: Sent): Held {
  const closed = new Promise<void>((resolve) => {
    sent.once('close', () => {
      clearTimeout(held.late);
      resolve();
    });
  });
  const held: Held = { bytes: 0, late: undefined, closed };
  return held;
}
