import { Injectable } from '@nestjs/common';

import { Database } from '../database/pools/database.js';
import type { Instant } from '../domain/calendar.js';
import type { Sql } from '../sql/sql.js';
import { all, sql } from '../sql/sql.js';
import { ENTRY_JSON } from './entry-json.js';

/** Which page of an actor's entries, both times included. */
export interface AuditPageRequest {
  readonly clientId: string;
  readonly skip: number;
  readonly count: number;
  readonly timeStart?: Instant | undefined;
  readonly timeEnd?: Instant | undefined;
}

/** The entries, newest first, as they were recorded, and how many there are in all. */
export interface AuditPage {
  readonly results: readonly object[];
  readonly total: number;
}

/** Pages of the audit log (I-3). */
@Injectable()
export class AuditPages {
  constructor(private readonly database: Database) {}

  async read(request: AuditPageRequest): Promise<AuditPage> {
    const [page] = await this.database.query<AuditPage>(statementOf(request));
    return page ?? { results: [], total: 0 };
  }
}

/**
 * Counts and skips in the index on actor and time alone: rows are read only for the page. Rows of one time, such as
 * those of one transaction, are ordered by id, which the index does not have; so the page is found by the times of its
 * first and last row.
 */
export const statementOf = ({ clientId, skip, count, timeStart, timeEnd }: AuditPageRequest): Sql => {
  const isAsked = all([
    sql`client_id = ${clientId}`,
    ...(timeStart === undefined ? [] : [sql`created_at >= ${timeStart}::timestamptz`]),
    ...(timeEnd === undefined ? [] : [sql`created_at < ${timeEnd}::timestamptz + interval '1 millisecond'`]),
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
       limit ${count})
    select (select count(*)::int from audit_log where ${isAsked}) as total,
           coalesce((select json_agg(${ENTRY_JSON} order by created_at desc, id desc) from page), '[]') as results`;
};
