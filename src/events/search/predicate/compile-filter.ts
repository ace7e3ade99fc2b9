import { absurd } from '../../../kernel/errors/service-error.js';
import { all, any, type Sql, sql } from '../../../kernel/sql/sql.js';
import { type DataLeaf, isCostlyToRecheck, recheckDataLeaf } from './candidate-terms.js';
import { leavesOf, type Predicate, type RowLeaf } from './predicate.js';

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
