import type { Issue } from '../errors/service-error.js';

/** The typed value, or every fault with its path (G-4). */
export type Parsed<T> =
  { readonly kind: 'parsed'; readonly value: T } | { readonly kind: 'faulty'; readonly issues: readonly Issue[] };

/** `value` counts only without faults. */
export const outcomeOf = <T>(value: T, faults: { readonly issues: readonly Issue[] }): Parsed<T> =>
  faults.issues.length === 0 ? { kind: 'parsed', value } : { kind: 'faulty', issues: faults.issues };
