import { Sql, sql } from '../../kernel/sql/sql.js';
import { LOCATION_COLUMNS } from './searched-columns.js';

/** Runs in the transaction that writes them. */
export const markCreated = (seqs: readonly string[]): Sql =>
  sql`insert into bitmap_dirty (seq, terms, places) select seq, '{}', '{}' from unnest(${seqs}::bigint[]) as new (seq)`;

/** The places of a row of `event_search`. */
export const PLACES_OF_ROW = sql`array[${Sql.join(Object.values(LOCATION_COLUMNS), ', ')}]`;

/** `changed`: rows `{seq, had, has, places}`: terms before and after, and the places before. */
export const markChanged = (changed: Sql): Sql => sql`
  with changed as (${changed})
  insert into bitmap_dirty (seq, terms, places)
  select seq, array(select unnest(had) except select unnest(has)), array(select distinct unnest(places)) from changed`;
