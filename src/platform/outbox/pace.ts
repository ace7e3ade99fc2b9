/** An exchange that takes this long makes its addressee slow, until a shorter one ends. */
export const SLOW_MS = 1_000;

/**
 * How soon an addressee answers: `slow` if its latest exchange failed or took long, `unknown` before the first one.
 * Quick ones go first, and slow ones have a separate share, so that they delay only each other (W-9).
 */
export type Pace = 'quick' | 'unknown' | 'slow';

/** Slowest last. */
export const PACES: readonly Pace[] = ['quick', 'unknown', 'slow'];
