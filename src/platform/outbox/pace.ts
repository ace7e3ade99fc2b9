/** An exchange that takes this long makes its addressee slow, until a shorter one ends. */
export const SLOW_MS = 1_000;

/**
 * How soon an addressee answers: `slow` if its latest exchange failed or took long, `unknown` before the first one.
 * Quick ones go first, and slow ones have a separate share, so that they delay only each other (W-9).
 */
export type Pace = 'quick' | 'unknown' | 'slow';

/** Slowest last. */
export const PACES: readonly Pace[] = ['quick', 'unknown', 'slow'];

/** Whether one of the exchanges that began then, by `performance.now()`, makes its addressee slow before it ends. */
export const isAnySlow = (beganMs: Iterable<{ readonly atMs: number }>): boolean => {
  const slowSinceMs = performance.now() - SLOW_MS;
  return [...beganMs].some(({ atMs }) => atMs <= slowSinceMs);
};

interface Known {
  latest: Pace;
  /** When the exchanges that are in progress began. */
  readonly beganMs: Set<{ readonly atMs: number }>;
}

/** How soon this process is answered, kind by kind; `nameOf` tells kinds apart. */
export class Paces<K> {
  private readonly known = new Map<string, Known>();

  constructor(private readonly nameOf: (kind: K) => string) {}

  of(kind: K): Pace {
    const known = this.known.get(this.nameOf(kind));
    if (known === undefined) return 'unknown';
    return isAnySlow(known.beganMs) ? 'slow' : known.latest;
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
