import type { DeclarationValue } from '../../src/kernel/domain/event-record.js';

/** A value, and what is asked of it: `yes` finds it, `no` does not. */
export interface ValueConditions {
  readonly value: DeclarationValue;
  readonly yes: readonly object[];
  readonly no: readonly object[];
}

/** The conditions on a value, as the body of a search has them. */
export const exact = (term: string) => ({ type: 'exact', term });
export const fuzzy = (term: string) => ({ type: 'fuzzy', term });
export const anyOf = (...terms: string[]) => ({ type: 'anyOf', terms });
export const range = (gte: string, lte: string) => ({ type: 'range', gte, lte });
export const within = (location: string) => ({ type: 'within', location });
