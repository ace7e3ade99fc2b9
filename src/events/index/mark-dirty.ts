import { type Sql, sql } from '../../kernel/sql/sql.js';

/** Runs in the transaction that writes them. */
export const markCreated = (seqs: readonly string[]): Sql =>
  sql`insert into bitmap_dirty (seq, terms, updated_at) select seq, '{}', '-infinity' from unnest(${seqs}::bigint[]) as new (seq)`;

/**
 * `changed`: rows `{seq, had, has, updated_at}`, terms before and after, and the previous update time. Current terms
 * are read later.
 */
export const markChanged = (changed: Sql): Sql => sql`
  with changed as (${changed})
  insert into bitmap_dirty (seq, terms, updated_at)
  select seq, array(select unnest(had) except select unnest(has)), updated_at from changed`;
