import { absurd } from '../../errors/absurd.js';
import type { Sql } from '../../sql/sql.js';
import { all, any, sql } from '../../sql/sql.js';
import { recheckDataLeaf } from './data/data-leaf.js';
import type { Predicate } from './predicate.js';
import { leavesOf } from './predicate.js';

/** The condition as SQL that no index takes: `is true` changes nothing else where NULL counts as false. */
export const compileFilter = (predicate: Predicate): Sql => sql`(${compileRecheck(predicate)}) is true`;

/** The condition to be tried on one row. */
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

/** Columns of the row itself before what stands in the document. */
const cheapFirst = (parts: readonly Predicate[]): readonly Predicate[] =>
  parts.toSorted((a, b) => Number(readsDocument(a)) - Number(readsDocument(b)));

const readsDocument = (predicate: Predicate): boolean => leavesOf(predicate).some(({ kind }) => kind === 'data');
