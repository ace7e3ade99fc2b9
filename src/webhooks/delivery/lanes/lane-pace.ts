/** An exchange that takes so long makes its subscriber a slow one, until one comes to its end sooner. */
export const SLOW_MS = 1_000;

/**
 * How soon a subscriber answers: `slow` when its latest exchange failed or took long, `unknown` before the first one. Quick
 * ones go first, and slow ones have room of their own, so that they keep nobody waiting but each other (W-9).
 */
export type Pace = 'quick' | 'unknown' | 'slow';

/** The slowest last. */
export const PACES: readonly Pace[] = ['quick', 'unknown', 'slow'];
