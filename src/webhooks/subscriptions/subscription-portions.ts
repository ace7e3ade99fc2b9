import { Injectable } from '@nestjs/common';

import { Database } from '../../platform/database/pools/database.js';
import { KIB } from '../../kernel/domain/bytes.js';
import type { Uuid } from '../../kernel/domain/uuid.js';
import { sql } from '../../kernel/sql/sql.js';
import type { Subscription } from './subscriptions.js';

/** How much of callbacks and queries is read at a time, unless the first alone has more. */
const MOST_BYTES = 256 * KIB;
const MOST = 500;

/** A subscription as it is listed. */
export interface ListedSubscription extends Subscription {
  /** The query as JSON, which is passed on unparsed; null if there is none. */
  readonly queryText: string | null;
}

/** Where a portion ends: when its last subscription was created, in microseconds, and its id. */
interface Position {
  readonly createdAtMicros: string;
  readonly id: Uuid;
}

/** Some subscriptions of a client, the oldest first. */
export interface SubscriptionPortion {
  readonly subscriptions: readonly ListedSubscription[];
  /** After which there may be more; undefined after the last one. */
  readonly next: Position | undefined;
}

/** A client's subscriptions, in portions that fit into memory: together they may have 26 MB. */
@Injectable()
export class SubscriptionPortions {
  constructor(private readonly database: Database) {}

  /** The next ones after a position, or the first ones. */
  async read(clientId: Uuid, after?: Position): Promise<SubscriptionPortion> {
    const rows = await this.database.query<ListedSubscription & Position & { readonly candidates: number }>(sql`
      select * from (
        select s.*, c.name as "clientName",
               row_number() over in_order as rank, (count(*) over ())::int as candidates,
               sum(octet_length(callback) + coalesce(octet_length("queryText"), 0)) over in_order as bytes
          from (select id, client_id as "clientId", topic, callback, format, status, created_at as "createdAt",
                       query::text as "queryText",
                       (extract(epoch from created_at) * 1000000)::bigint::text as "createdAtMicros"
                  from webhook_subscription
                 where client_id = ${clientId} and deleted_at is null
                   and (${after?.id ?? null}::uuid is null or (created_at, id) >
                     ('epoch'::timestamptz + ${after?.createdAtMicros ?? null}::bigint * interval '1 microsecond',
                      ${after?.id ?? null}::uuid))
                 order by created_at, id limit ${MOST}) s
          join system_client c on c.client_id = s."clientId"
        window in_order as (order by "createdAt", id)) portion
       where rank = 1 or bytes <= ${MOST_BYTES}
       order by rank`);
    const last = rows.at(-1);
    const isLast = last === undefined || (rows.length === last.candidates && rows.length < MOST);
    return { subscriptions: rows, next: isLast ? undefined : last };
  }
}
