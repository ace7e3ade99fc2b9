import { absurd } from '../../errors/absurd.js';
import type { Sql } from '../../sql/sql.js';
import { all, any, sql } from '../../sql/sql.js';
import { recheckCandidateTerms } from './candidate-terms.js';
import { recheckDataLeaf } from './data/data-leaf.js';
import type { Predicate, RowLeaf } from './predicate.js';
import { leavesOf } from './predicate.js';

/** The condition as SQL that no index can use: otherwise `is true` changes nothing where NULL counts as false. */
export const compileFilter = (predicate: Predicate): Sql =>
  sql`(${compiled(predicate, ({ check, condition }) => check ?? condition)}) is true`;

/** The condition for rechecking one row. */
export const compileRecheck = (predicate: Predicate): Sql => compiled(predicate, ({ condition }) => condition);

/** The same where terms are trusted: a place is then compared with the term of its area, not with all places there. */
export const compileTrustedRecheck = (predicate: Predicate): Sql =>
  compiled(predicate, ({ byTerms, candidateTerms, condition }) =>
    byTerms === true ? recheckCandidateTerms(candidateTerms) : condition,
  );

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

/** Puts conditions on the row's own columns before those on the document. */
const cheapFirst = (parts: readonly Predicate[]): readonly Predicate[] =>
  parts.toSorted((a, b) => Number(readsDocument(a)) - Number(readsDocument(b)));

const readsDocument = (predicate: Predicate): boolean => leavesOf(predicate).some(({ kind }) => kind === 'data');
