import type { Condition } from '../../../kernel/domain/search-request.js';
import { type Sql, sql } from '../../../kernel/sql/sql.js';
import { type Guard, isOnSecured } from '../request/guard.js';
import { compileRecheck } from './compile-filter.js';
import type { Predicate } from './predicate.js';
import { predicateOfRowFilter } from './row-filter.js';
import type { SearchContext } from './search-context.js';

/** The records on which the caller may learn the result; undefined: all (E-10). */
export const readableFor = (condition: Condition, { guard, terms }: SearchContext): Predicate | undefined =>
  guard !== undefined && isOnSecured(condition, guard) ? predicateOfRowFilter(guard.readable, terms) : undefined;

/** Over a row `s`, for records of these event types. Never NULL. */
export const isUnreadOf = (types: readonly string[], { readable }: Guard): Sql =>
  sql`(s.type = any(${types}::text[]) and (${compileRecheck(predicateOfRowFilter(readable))}) is not true)`;
