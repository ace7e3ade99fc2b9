import type { Sql } from '../sql/sql.js';
import { sql } from '../sql/sql.js';

/** Says of new records that no bitmap has their bits yet. To be run in the transaction that writes them. */
export const markCreated = (seqs: readonly string[]): Sql =>
  sql`insert into facet_dirty (seq, terms) select seq, '{}' from unnest(${seqs}::bigint[]) as new (seq)`;

/**
 * Says of the records that `changed` yields, rows `{seq, had, has}` with their terms as they were and as they are, that
 * their bits are stale. Those that have gone are told; those that they have are asked for when the bits are set.
 */
export const markChanged = (changed: Sql): Sql => sql`
  with changed as (${changed})
  insert into facet_dirty (seq, terms)
  select seq, array(select unnest(had) except select unnest(has)) from changed`;
