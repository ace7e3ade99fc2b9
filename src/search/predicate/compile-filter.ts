import { absurd } from '../../errors/absurd.js';
import type { Sql } from '../../sql/sql.js';
import { all, any, sql } from '../../sql/sql.js';
import { recheckDataLeaf } from './data/data-leaf.js';
import type { Predicate } from './predicate.js';
import { leavesOf } from './predicate.js';

/** The condition as SQL that no index can use: otherwise `is true` changes nothing where NULL counts as false. */
export const compileFilter = (predicate: Predicate): Sql => sql`(${compileRecheck(predicate)}) is true`;

/** The condition for rechecking one row. */
export function compileRecheck(predicate: Predicate): Sql {
  switch (predicate.kind) {
    case 'all':
      return all(cheapFirst(predicate.parts).map(compileRecheck));
    case 'any':
      return any(cheapFirst(predicate.parts).map(compileRecheck));
    case 'not':
      return sql`not ${compileRecheck(predicate.part)}`;
    case 'row':
      return predicate.condition;
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
