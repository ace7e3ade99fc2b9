import type { Sql } from '../../../sql/sql.js';
import { sql } from '../../../sql/sql.js';

/** Says of new records that no bitmap has their bits yet. To be run in the transaction that writes them. */
export const markCreated = (seqs: readonly string[]): Sql =>
  sql`insert into facet_dirty (seq, terms) select seq, '{}' from unnest(${seqs}::bigint[]) as new (seq)`;

/** Says of the records that `changed` yields, rows `{seq, terms}` as they were, that their bits are stale. */
export const markChanged = (changed: Sql): Sql =>
  sql`with gone as (${changed}) insert into facet_dirty (seq, terms) select seq, terms from gone`;
