import type { Pace } from '../../../webhooks/delivery/lanes/lane-pace.js';
import { SLOW_MS } from '../../../webhooks/delivery/lanes/lane-pace.js';
import type { Kind } from './choose-due.js';

/** What is known of the confirmations of one kind. */
interface Known {
  latest: Pace;
  /** When the exchanges that are in progress began. */
  readonly beganMs: Set<{ readonly atMs: number }>;
}

/** A confirmation, as far as its pace depends on it. */
type Paced = Pick<Kind, 'eventType' | 'actionType'> & { readonly failures: number };

/** How soon the country configuration answers this process, kind by kind. */
export class Paces {
  private readonly known = new Map<string, Known>();

  /** A long exchange counts before it ends. */
  of(kind: Kind): Pace {
    const known = this.known.get(nameOf(kind));
    if (known === undefined) return 'unknown';
    const slowSinceMs = performance.now() - SLOW_MS;
    return [...known.beganMs].some(({ atMs }) => atMs <= slowSinceMs) ? 'slow' : known.latest;
  }

  /** Makes an exchange, and remembers how long it took. */
  async during<T>({ failures, ...kind }: Paced, exchange: () => Promise<T>): Promise<T> {
    const name = nameOf({ ...kind, isRetry: failures > 0 });
    const known = this.known.get(name) ?? { latest: 'unknown', beganMs: new Set() };
    this.known.set(name, known);
    const begun = { atMs: performance.now() };
    known.beganMs.add(begun);
    try {
      return await exchange();
    } finally {
      known.beganMs.delete(begun);
      known.latest = performance.now() - begun.atMs >= SLOW_MS ? 'slow' : 'quick';
    }
  }
}

const nameOf = ({ eventType, actionType, isRetry }: Kind): string => `${eventType} ${actionType} ${String(isRetry)}`;
