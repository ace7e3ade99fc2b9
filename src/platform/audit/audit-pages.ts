import { MIB } from '../../kernel/domain/bytes.js';
import type { Instant } from '../../kernel/domain/calendar.js';
import { all, rowsWithin, type Sql, sql } from '../../kernel/sql/sql.js';
import type { Queryable } from '../database/connection/queryable.js';
import { ENTRY_JSON } from './audit-entry.js';

export interface AuditPageRequest {
  readonly clientId: string;
  readonly skip: number;
  readonly count: number;
  readonly timeStart?: Instant | undefined;
  readonly timeEnd?: Instant | undefined;
}

/** At least one entry a page: earlier releases kept requests of a megabyte. */
const MOST_PAGE_BYTES = 2 * MIB;

/** Newest first, with the total. A shortened page continues after its last entry. */
export interface AuditPage {
  readonly results: readonly object[];
  readonly total: number;
}

/** A page of the audit log (I-3). */
export async function readAuditPage(database: Queryable, request: AuditPageRequest): Promise<AuditPage> {
  const [page] = await database.query<AuditPage>(statementOf(request));
  return page ?? { results: [], total: 0 };
}

/** Skips in the index on actor and time. It lacks the id, so the page is found by its first and last time. */
export const statementOf = ({ clientId, skip, count, timeStart, timeEnd }: AuditPageRequest): Sql => {
  const since = timeStart === undefined ? sql`'-infinity'::timestamptz` : sql`${timeStart}::timestamptz`;
  const until =
    timeEnd === undefined ? sql`'infinity'::timestamptz` : sql`${timeEnd}::timestamptz + interval '1 millisecond'`;
  const isAsked = all([
    sql`client_id = ${clientId}`,
    ...(timeStart === undefined ? [] : [sql`created_at >= ${since}`]),
    ...(timeEnd === undefined ? [] : [sql`created_at < ${until}`]),
  ]);
  return sql`
    with times as materialized (
      select created_at from audit_log where ${isAsked} order by created_at desc offset ${skip} limit ${count}),
    edge as materialized (select max(created_at) as newest, min(created_at) as oldest from times),
    page as (
      select a.* from audit_log a
       where client_id = ${clientId} and created_at between (select oldest from edge) and (select newest from edge)
       order by created_at desc, id desc
       offset ${skip} - (select count(*) from audit_log
                          where ${isAsked} and created_at > (select newest from edge))
       limit ${count}),
    bounded as (${rowsWithin(SIZED, sql`created_at desc, id desc`, MOST_PAGE_BYTES)})
    select ${totalOf(clientId, since, until)} as total,
           coalesce((select json_agg(${ENTRY_JSON} order by rank) from bounded), '[]') as results`;
};

const SIZED = sql`
  select *, octet_length(request_data::text) + coalesce(octet_length(response_summary::text), 0) as bytes from page`;

/** Past months have counts (`audit_count_months()`); other times are counted here. */
const totalOf = (clientId: string, since: Sql, until: Sql): Sql => sql`(
  with counted as materialized (
    select month, tstzrange(starts, ends) as span from audit_counted_month
     where starts >= ${since} and ends <= ${until}
       and exists (select from pg_inherits where inhparent = 'audit_log'::regclass and inhrelid = to_regclass(month)))
  select (select coalesce(sum(rows), 0) from audit_count
           where client_id = ${clientId} and month in (select month from counted))::int
       + (select coalesce(sum(found.rows), 0)
            from unnest(tstzmultirange(tstzrange(${since}, ${until}))
                        - (select coalesce(range_agg(span), '{}') from counted)) as gap,
                 lateral (select count(*) as rows from audit_log
                           where client_id = ${clientId} and created_at >= lower(gap) and created_at < upper(gap)
                 ) as found)::int)`;
