import type { Pace } from './pace.js';
import { SLOW_MS } from './pace.js';

/** What is known of the exchanges of one kind. */
interface Known {
  latest: Pace;
  /** When the exchanges that are in progress began. */
  readonly beganMs: Set<{ readonly atMs: number }>;
}

/** How soon this process is answered, kind by kind; `nameOf` tells kinds apart. */
export class Paces<K> {
  private readonly known = new Map<string, Known>();

  constructor(private readonly nameOf: (kind: K) => string) {}

  /** A long exchange counts before it ends. */
  of(kind: K): Pace {
    const known = this.known.get(this.nameOf(kind));
    if (known === undefined) return 'unknown';
    const slowSinceMs = performance.now() - SLOW_MS;
    return [...known.beganMs].some(({ atMs }) => atMs <= slowSinceMs) ? 'slow' : known.latest;
  }

  /** Makes an exchange, and remembers how long it took. */
  async during<T>(kind: K, exchange: () => Promise<T>): Promise<T> {
    const name = this.nameOf(kind);
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
