import type { Issue } from '../errors/service-error.js';

/** The outcome of parsing: the typed value, or every fault with its path (G-4). */
export type Parsed<T> =
  { readonly kind: 'parsed'; readonly value: T } | { readonly kind: 'faulty'; readonly issues: readonly Issue[] };

/** What a parser found: `value` counts only when no fault was noted on the way to it. */
export const outcomeOf = <T>(value: T, faults: { readonly issues: readonly Issue[] }): Parsed<T> =>
  faults.issues.length === 0 ? { kind: 'parsed', value } : { kind: 'faulty', issues: faults.issues };
