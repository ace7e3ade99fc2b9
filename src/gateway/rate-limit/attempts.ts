/** How often a minute a client id and an address may fail together (G-8). */
export const FAILURES_PER_MINUTE = 10;
/** For how long failures count. */
export const WINDOW_MS = 60_000;

/** The answer for a pair that wants its credentials checked. */
export type AttemptAnswer =
  /** They may be checked; call `done` with the result. */
  | { readonly kind: 'granted'; readonly done: (outcome: 'right' | 'wrong' | 'unknown') => Promise<void> }
  /** Together with the checks in progress, the pair might fail too often: one of those must end first. */
  | { readonly kind: 'later' }
  | { readonly kind: 'blocked'; readonly waitMs: number };

/**
 * Counts the attempts of each pair before they are checked: failures of the last minute, and checks that may become
 * failures, are never more than ten together.
 */
export interface Attempts {
  begin(key: string): Promise<AttemptAnswer>;
}
