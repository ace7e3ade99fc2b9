import type { InstantColumn } from '../../derived/instant-columns.js';
import type { LocationColumn } from '../../derived/location-columns.js';
import type { RecordColumn } from '../../domain/record-columns.js';
import type { Sql } from '../../sql/sql.js';
import type { CandidateTerms } from './candidate-terms.js';
import type { DataLeaf } from './data/data-leaf.js';
import type { Proof } from './proof.js';

/**
 * A condition on `s`, a row of `event_search`, as a tree: what a plan is chosen by and a statement is made of. Nothing in
 * it is NULL where a NOT could make it true.
 */
export type Predicate =
  | { readonly kind: 'all' | 'any'; readonly parts: readonly Predicate[] }
  | { readonly kind: 'not'; readonly part: Predicate }
  | RowLeaf
  | DataLeaf;

/** A condition on the columns of the row. */
export interface RowLeaf {
  readonly kind: 'row';
  /** The condition itself, cheap to try. */
  readonly condition: Sql;
  /** The terms that every match has. */
  readonly candidateTerms: CandidateTerms;
  /** Whether every record that has the terms is a match, provided that `proof` holds. */
  readonly decides: boolean;
  readonly proof: Proof;
  /**
   * Which index on columns finds the matches of `condition`: one of their own; one that begins with the column and goes
   * on with others that are flagged so too (`composite`); one in which the column only follows others; none.
   */
  readonly index: 'own' | 'composite' | 'in composite' | 'none';
  /** The column of which all matches have one value, where an index has those of one status and type newest first. */
  readonly sortedWithin?: RecordColumn;
  /** Whether the terms may take the place of the condition: the search then rests on `proof`. */
  readonly byTerms?: true;
  /** What says how many matches there are; absent: the terms do. */
  readonly cardinality?: ColumnCardinality;
}

/** By what the number of matches of a condition on columns is estimated. */
export type ColumnCardinality =
  | { readonly by: 'rows'; readonly rows: number }
  | { readonly by: 'locations'; readonly column: LocationColumn; readonly ids: readonly string[] }
  | { readonly by: 'instants'; readonly column: InstantColumn; readonly fromMs: number; readonly beforeMs: number };

/** All of the parts hold; nested ANDs become one. */
export const allOfParts = (parts: readonly Predicate[]): Predicate => combined('all', parts);

/** One of the parts holds; nested ORs become one. */
export const anyOfParts = (parts: readonly Predicate[]): Predicate => combined('any', parts);

/** Every condition of the tree. */
export function leavesOf(predicate: Predicate): readonly (RowLeaf | DataLeaf)[] {
  switch (predicate.kind) {
    case 'all':
    case 'any':
      return predicate.parts.flatMap(leavesOf);
    case 'not':
      return leavesOf(predicate.part);
    case 'row':
    case 'data':
      return [predicate];
  }
}

/** Flat, so that every condition of an AND is weighed against every other. */
function combined(kind: 'all' | 'any', parts: readonly Predicate[]): Predicate {
  const flat = parts.flatMap((part) => (part.kind === kind ? part.parts : [part]));
  const [only, ...others] = flat;
  return only !== undefined && others.length === 0 ? only : { kind, parts: flat };
}
