import type { Sql } from '../../sql/sql.js';
import { sql } from '../../sql/sql.js';
import type { Guard } from '../request/guard.js';
import { compileRecheck } from './compile-filter.js';
import type { Predicate } from './predicate.js';
import { predicateOfRowFilter } from './row-filter.js';

/** The records that the caller may read. */
export const predicateOfReadable = ({ readable }: Guard, callerSubject: string): Predicate =>
  predicateOfRowFilter(readable, callerSubject);

/** Whether the record of a row `s` is of one of these event types and not readable. Never NULL. */
export const isUnreadOf = (types: readonly string[], guard: Guard, callerSubject: string): Sql =>
  sql`(s.type = any(${types}::text[]) and (${compileRecheck(predicateOfReadable(guard, callerSubject))}) is not true)`;
