import { bitsOfRecords, NO_BITS, rowOfBits, seqsOfBits } from '../../index/bitmaps/bitmap.js';
import { highestSlice, sliceOf, startOf } from '../../index/bitmaps/update-period.js';
import { Sql, sql, unseen } from '../../../kernel/sql/sql.js';
import type { Page } from '../predicate/page.js';
import type { CountedByBitmaps } from './bitmap-total.js';
import { bodyOf, type PageRows } from './page.js';
import { type Known, mostEntries, walkedEntries } from './walk.js';

/**
 * Slices of updates lead to the period with the page's last record. Later matches, fewer than the page, are looked up
 * by their bits; a walk from the end of that period finds the others.
 *
 * It reads a row of bits for each slice and 15,360 records, and at most two rows of records for each of the page. It
 * reads at most one period of the index: if that has too many records, as after a migration, the page is not full.
 * Slices do not cover marked records, which are looked up.
 */
export function newestRows(
  { isMatch }: CountedByBitmaps,
  { order, limit, offset }: Page,
  { total, bounds }: Known,
): PageRows {
  const wanted = unseen(sql`${offset + limit}::bigint`);
  const later = seqsOfBits(sql`select chunk, bits from descent where is_later`);
  return {
    // A list of its own: otherwise PostgreSQL reads the slices even if no row is requested.
    select: sql`with recursive ${SETTLED}, ${descentTo(wanted)}, further as materialized (
  select s.seq, s.id, s.updated_at from (
    select seq, id, updated_at from event_search
     where updated_at < (select walked_from from reached)
     order by ${order.by} limit (select ${mostEntries(total, bounds)}::bigint)) s
   where ${isMatch(sql`s.seq`)} order by ${order.by} limit ${wanted}
)
select s.seq, ${Sql.join(order.columns, ', ')} from (
  select s.seq, s.id, s.updated_at
    from (${later} union select seq from exception join stale using (seq) where is_match) e
    cross join lateral (select s.seq, s.id, s.updated_at from event_search s where s.seq = e.seq offset 0) s
   where (s.updated_at < (select looked_up_from from reached)) is not true
  union all
  select * from further
) s order by ${order.by} limit ${unseen(sql`${limit}::bigint`)} offset ${unseen(sql`${offset}::bigint`)}`,
    body: bodyOf,
  };
}

/** Slices are read only if a walk along the order does not fill the page. */
export function walkedOrNewest(bitmaps: CountedByBitmaps, page: Page, known: Known): PageRows {
  const due = sql`least(${unseen(sql`${page.limit}::bigint`)}, ${known.total} - ${unseen(sql`${page.offset}::bigint`)})`;
  const isFull = sql`(select count(*) from walked) >= ${due}`;
  return {
    select: sql`with walked as materialized (${walkedEntries(bitmaps, page, known).select})
select * from walked where ${isFull}
union all
select * from (${newestRows(bitmaps, page, known).select}) newest where not ${isFull}`,
    body: bodyOf,
  };
}

/** `stale`: marked records; `settled`: the bits of matches that are not marked. */
const SETTLED = sql`stale as materialized (select distinct seq from bitmap_dirty), settled as materialized (
  select m.chunk, ${rowOfBits(sql`case when x.bits is null and u.bits is null then m.bits else (m.bits & ~coalesce(x.bits, ${NO_BITS})) | coalesce(u.bits, ${NO_BITS}) end`)} as bits
    from bitmap_match m
    left join (${bitsOfRecords(sql`select seq from exception`)}) x using (chunk)
    left join (${bitsOfRecords(sql`select seq from (select seq from exception where is_match union select seq from uncounted) f where seq not in (select seq from stale)`)}) u using (chunk)
)`;

/**
 * `descent`: the `rest` settled matches whose period has the known bits of `period`; and, `is_later`, the `passed`
 * matches of later periods. Each `step` decides on the next bit:
 *
 * - `set`: the `highs` matches with the bit suffice with the later ones. They alone remain.
 * - `unset`: they do not suffice, and become later ones. The matches without the bit remain.
 * - `end`: few matches remain, and become later ones.
 *
 * `reached`, one row: the time from which the later ones were updated, and before which there are more.
 */
const descentTo = (wanted: Sql): Sql => sql`descent (slice, chunk, bits, is_later, period, passed, rest) as (
  select ${highestSlice}, chunk, bits, false, 0, 0::bigint, (select sum(bit_count(bits)) from settled)::bigint
    from settled where bits <> ${NO_BITS}
  union all
  select d.slice - 1, d.chunk, ${rowOfBits(sql`next.bits`)}, next.is_later,
         case step when 'set' then d.period + (1 << d.slice) else d.period end,
         case step when 'unset' then d.passed + d.highs else d.passed end,
         case step when 'set' then d.highs else d.rest - d.highs end
    from (select d.*, case when d.passed + d.rest <= 2 * ${wanted} then 'end' when d.passed + d.highs >= ${wanted} then 'set' else 'unset' end as step
            from (select d.*, h.high, (sum(bit_count(h.high)) over ())::bigint as highs
                    from descent d
                    left join bitmap_chunk b on b.term = ${sliceOf(sql`d.slice`)} and b.chunk = d.chunk
                    cross join lateral (select coalesce(d.bits & b.bits, ${NO_BITS}) as high offset 0) h
                   where d.slice >= 0 and not d.is_later) d) d
    cross join lateral (
      select case step when 'end' then d.bits else d.high end as bits, true as is_later where step <> 'set'
      union all
      select case when step = 'set' then d.high when d.high = ${NO_BITS} then d.bits else d.bits # d.high end, false where step <> 'end') next
   where next.bits <> ${NO_BITS}
), reached as materialized (
  select case when is_later then ${startOf(sql`period`)} else ${startOf(sql`(period + 1)`)} end as looked_up_from,
         case when is_later then '-infinity' else ${startOf(sql`(period + 1)`)} end as walked_from
    from descent order by slice, is_later limit 1
)`;
