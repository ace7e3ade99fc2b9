import { Injectable } from '@nestjs/common';
import { MIB } from '../../../kernel/domain/bytes.js';
import { ServiceError } from '../../../kernel/errors/service-error.js';
import { Refusals } from '../../../platform/queue/refusals.js';
import { READING_PACE } from '../answer/reading-pace.js';
import type { Spool } from '../answer/streamed-body.js';

/** No client gets more than half. A single item always has room. */
class SharedBytes {
  private bytes = 0;
  private readonly ofClients = new Map<string, number>();

  constructor(private readonly most: number) {}

  /** False if there is no room; what was taken must be given back. */
  take(client: string, bytes: number): boolean {
    const own = this.ofClients.get(client) ?? 0;
    const hasRoom =
      (this.bytes === 0 || this.bytes + bytes <= this.most) && (own === 0 || own + bytes <= this.most / 2);
    if (!hasRoom) return false;
    this.bytes += bytes;
    this.ofClients.set(client, own + bytes);
    return true;
  }

  giveBack(client: string, bytes: number): void {
    this.bytes -= bytes;
    const left = (this.ofClients.get(client) ?? 0) - bytes;
    if (left > 0) this.ofClients.set(client, left);
    else this.ofClients.delete(client);
  }
}

/** Each answer is held until its client has taken it. */
const MOST_WHOLE = 256 * MIB;
const MOST_AHEAD = 128 * MIB;
const MOST_AHEAD_OF_ONE = 8 * MIB;

const RETRY_AFTER_SECONDS = '1';

interface Sent {
  readonly destroyed: boolean;
  once(event: 'close', listener: () => void): unknown;
  destroy(): unknown;
}

interface Held {
  bytes: number;
  late: NodeJS.Timeout | undefined;
}

/** Bounds memory and time of answers in transit: a client that takes less than 16 kB/s is cut off. */
@Injectable()
export class AnswersInFlight {
  private readonly whole = new SharedBytes(MOST_WHOLE);
  private readonly ahead = new SharedBytes(MOST_AHEAD);
  private readonly held = new WeakMap<Sent, Held>();

  constructor(private readonly refusals: Refusals) {}

  /** Held until sent or cut off. Throws 503 SERVICE_UNAVAILABLE when there is no room. */
  hold(client: string, bytes: number, sent: Sent): void {
    if (sent.destroyed) return;
    if (!this.whole.take(client, bytes)) {
      throw new ServiceError('SERVICE_UNAVAILABLE', 'Too many answers wait for their clients to take them', {
        headers: { 'retry-after': RETRY_AFTER_SECONDS },
        refusal: 'answers-held',
      });
    }
    const held = this.heldFor(client, sent);
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

  /** An answer may consist of several pieces. */
  private heldFor(client: string, sent: Sent): Held {
    const known = this.held.get(sent);
    if (known !== undefined) return known;
    const held: Held = { bytes: 0, late: undefined };
    this.held.set(sent, held);
    sent.once('close', () => {
      clearTimeout(held.late);
      this.whole.giveBack(client, held.bytes);
    });
    return held;
  }

  spool(client: string): Spool {
    let granted = 0;
    return {
      grant: (bytes) => {
        const isGranted = granted + bytes <= MOST_AHEAD_OF_ONE && this.ahead.take(client, bytes);
        if (isGranted) granted += bytes;
        return isGranted;
      },
      giveBack: () => {
        if (granted > 0) this.ahead.giveBack(client, granted);
        granted = 0;
      },
    };
  }
}
