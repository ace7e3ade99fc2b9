import { type Sql, sql } from '../../kernel/sql/sql.js';

/** Marks new records, whose bits no bitmap has yet. Runs in the transaction that writes them. */
export const markCreated = (seqs: readonly string[]): Sql =>
  sql`insert into bitmap_dirty (seq, terms, updated_at) select seq, '{}', '-infinity' from unnest(${seqs}::bigint[]) as new (seq)`;

/**
 * Marks the records of `changed`, rows `{seq, had, has, updated_at}`: terms before and after, and the previous update
 * time. Lost terms are recorded; current ones are read when the bits are set.
 */
export const markChanged = (changed: Sql): Sql => sql`
  with changed as (${changed})
  insert into bitmap_dirty (seq, terms, updated_at)
  select seq, array(select unnest(had) except select unnest(has)), updated_at from changed`;
