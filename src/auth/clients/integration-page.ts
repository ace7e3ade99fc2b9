import { Injectable } from '@nestjs/common';
import { Database } from '../../platform/database/pools/database.js';
import { MIB } from '../../kernel/domain/bytes.js';
import { parseUuid, type Uuid } from '../../kernel/domain/uuid.js';
import { all, rowsWithin, type Sql, sql } from '../../kernel/sql/sql.js';
import type { ClientView } from './system-clients.js';

export interface IntegrationFilter {
  readonly status?: ClientView['status'] | undefined;
  readonly limit: number;
  readonly after?: Position | undefined;
}

/** Creation time in microseconds since 1970, and id. */
export interface Position {
  readonly createdAtMicros: string;
  readonly id: Uuid;
}

/** Limit on names and scopes in a page, which has at least one client. */
const MOST_PAGE_BYTES = 2 * MIB;

export interface IntegrationPage {
  readonly clients: readonly ListedIntegration[];
  readonly next: string | undefined;
}

type ListedIntegration = Pick<ClientView, 'clientId' | 'name' | 'scopes' | 'status' | 'createdAt' | 'createdBy'>;
type Row = ListedIntegration & { readonly micros: string; readonly isMore: boolean };

const POSITION = /^(\d{1,18})\.([0-9a-f-]{36})$/;

/** Undefined for an invalid cursor. */
export function readPosition(cursor: string): Position | undefined {
  const [, createdAtMicros = '', text] = POSITION.exec(cursor) ?? [];
  const id = parseUuid(text);
  return id === undefined ? undefined : { createdAtMicros, id };
}

/** Oldest first, without secrets. */
@Injectable()
export class IntegrationPages {
  constructor(private readonly database: Database) {}

  async read({ status, limit, after }: IntegrationFilter): Promise<IntegrationPage> {
    const conditions = [
      status === undefined ? sql`status <> 'deleted'` : sql`status = ${status}`,
      ...(after === undefined ? [] : [isAfter(after)]),
    ];
    const candidates = sql`
      select *, octet_length(concat(name, scopes)) as bytes from system_client where ${all(conditions)}
       order by created_at, client_id limit ${limit + 1}`;
    const rows = await this.database.query<Row>(sql`
      with candidate as (${candidates}),
      page as (${rowsWithin(sql`table candidate`, sql`created_at, client_id`, MOST_PAGE_BYTES)})
      select client_id as "clientId", name, scopes, status, created_at as "createdAt", created_by as "createdBy",
             (extract(epoch from created_at) * 1000000)::bigint::text as micros,
             rank < (select count(*) from candidate) as "isMore"
        from page where rank <= ${limit} order by rank`);
    const last = rows.at(-1);
    return { clients: rows, next: last?.isMore === true ? `${last.micros}.${last.clientId}` : undefined };
  }
}

const isAfter = ({ createdAtMicros, id }: Position): Sql =>
  sql`(created_at, client_id) > (timestamptz 'epoch' + ${createdAtMicros}::bigint * interval '1 microsecond', ${id}::uuid)`;
