/** How often a minute a client id and an address may fail together (G-8). */
export const FAILURES_PER_MINUTE = 10;
/** For how long failures are counted. */
export const WINDOW_MS = 60_000;

/** What a pair is told that wants to have its credentials checked. */
export type Permission =
  /** They may be checked; `done` must be called with what came of it. */
  | { readonly kind: 'granted'; readonly done: (outcome: 'right' | 'wrong' | 'unknown') => Promise<void> }
  /** With those that are being checked, the pair might fail too often: one of them has to end first. */
  | { readonly kind: 'later' }
  | { readonly kind: 'blocked'; readonly waitMs: number };

/**
 * Counts the attempts of each pair before they are checked: failures of the last minute, and checks that may become
 * failures, are never more than ten together.
 */
export interface Attempts {
  begin(key: string): Promise<Permission>;
}
