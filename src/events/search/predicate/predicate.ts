import type { RecordColumn } from '../../../kernel/domain/record-columns.js';
import { absurd } from '../../../kernel/errors/service-error.js';
import { all, any, type Sql, sql } from '../../../kernel/sql/sql.js';
import type { InstantColumn, PlaceColumn } from '../../index/searched-columns.js';
import { type CandidateTerms, type DataLeaf, isCostlyToRecheck, recheckDataLeaf } from './candidate-terms.js';

/** A condition on `s`, a row of `event_search`. No part is NULL where a NOT could make that true. */
export type Predicate = Combination | Negation | RowLeaf | DataLeaf;

interface Findable {
  /** Whether an index finds the matches. Stored, since a tree is asked at each of its levels. */
  readonly isFindable: boolean;
}

interface Combination extends Findable {
  readonly kind: 'all' | 'any';
  readonly parts: readonly Predicate[];
}

interface Negation extends Findable {
  readonly kind: 'not';
  readonly part: Predicate;
}

export interface RowLeaf extends Findable, RowCondition {
  readonly kind: 'row';
  readonly isIndexed: boolean;
}

export interface RowCondition {
  /** Cheap to check. */
  readonly condition: Sql;
  /** A form for rows found otherwise, if one is cheaper to plan and no index can use it. */
  readonly check?: Sql;
  /** Every match has these. */
  readonly candidateTerms: CandidateTerms;
  /** Whether every record that has the terms matches. */
  readonly decides: boolean;
  /**
   * `own`: an index of its own; `composite`: one that begins with the column and continues with others of this kind;
   * `in composite`: one in which it follows others.
   */
  readonly index: 'own' | 'composite' | 'in composite' | 'none';
  /** All matches are equal in it, and an index has the records of one status and type newest first. */
  readonly sortedWithin?: RecordColumn;
  /** The name of the bitmap of the matches, which may not exist; absent: those of the terms. */
  readonly bitmap?: bigint;
  /** The source of the estimate; absent: the terms. */
  readonly cardinality?: ColumnCardinality;
}

export type ColumnCardinality =
  | { readonly by: 'rows'; readonly rows: number }
  | { readonly by: 'locations'; readonly column: PlaceColumn; readonly ids: readonly string[] }
  | { readonly by: 'instants'; readonly column: InstantColumn; readonly fromMs: number; readonly beforeMs: number };

export const WITHOUT_TERMS: Pick<RowCondition, 'candidateTerms' | 'decides'> = {
  candidateTerms: { kind: 'none' },
  decides: false,
};

export function rowLeaf(given: RowCondition): RowLeaf {
  const isIndexed = given.index === 'own' || given.index === 'composite';
  return { kind: 'row', ...given, isIndexed, isFindable: isIndexed || given.candidateTerms.kind !== 'none' };
}

export const negated = (part: Predicate): Predicate => ({ kind: 'not', part, isFindable: false });

export const allOfParts = (parts: readonly Predicate[]): Predicate => combined('all', parts);

export const anyOfParts = (parts: readonly Predicate[]): Predicate => combined('any', parts);

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

/** Flat, so that every condition of an AND is compared with every other. */
function combined(kind: 'all' | 'any', parts: readonly Predicate[]): Predicate {
  const flat = parts.flatMap((part) => (part.kind === kind ? part.parts : [part]));
  const [only, ...others] = flat;
  if (only !== undefined && others.length === 0) return only;
  const isFindable = kind === 'all' ? flat.some((part) => part.isFindable) : flat.every((part) => part.isFindable);
  return { kind, parts: flat, isFindable };
}

/** No index can use `is true`, which changes nothing where NULL counts as false. */
export const compileFilter = (predicate: Predicate): Sql =>
  sql`(${compiled(predicate, ({ check, condition }) => check ?? condition)}) is true`;

export const compileRecheck = (predicate: Predicate): Sql => compiled(predicate, ({ condition }) => condition);

function compiled(predicate: Predicate, onRow: (leaf: RowLeaf) => Sql): Sql {
  const compiledParts = (parts: readonly Predicate[]): Sql[] => cheapFirst(parts).map((part) => compiled(part, onRow));
  switch (predicate.kind) {
    case 'all':
      return all(compiledParts(predicate.parts));
    case 'any':
      return any(compiledParts(predicate.parts));
    case 'not':
      return sql`not ${compiled(predicate.part, onRow)}`;
    case 'row':
      return onRow(predicate);
    case 'data':
      return recheckDataLeaf(predicate);
    default:
      return absurd(predicate);
  }
}

/** Own columns, few terms, many terms, and last those that may read the document. */
const cheapFirst = (parts: readonly Predicate[]): readonly Predicate[] =>
  parts
    .map((part) => ({ part, cost: costOf(part) }))
    .toSorted((a, b) => a.cost - b.cost)
    .map(({ part }) => part);

const costOf = (predicate: Predicate): number =>
  leavesOf(predicate).reduce((most, leaf) => Math.max(most, costOfLeaf(leaf)), 0);

function costOfLeaf(leaf: RowLeaf | DataLeaf): number {
  if (leaf.kind === 'row') return 0;
  if (leaf.rest !== undefined) return 3;
  return isCostlyToRecheck(leaf.candidateTerms) ? 2 : 1;
}
