import type { Readable } from 'node:stream';
import { Injectable } from '@nestjs/common';
import { streamedBody } from '../../events/search/answer/streamed-body.js';
import { KIB } from '../../kernel/domain/bytes.js';
import type { Uuid } from '../../kernel/domain/uuid.js';
import { ServiceError } from '../../kernel/errors/service-error.js';
import { sql } from '../../kernel/sql/sql.js';
import { Database } from '../../platform/database/pools/database.js';
import { Capacities } from '../../platform/queue/capacities.js';
import { Refusals } from '../../platform/queue/refusals.js';
import type { Subscription } from './subscriptions.js';

/** Limits callbacks and queries, unless the first alone has more. */
const MOST_BYTES = 256 * KIB;
const MOST = 500;

export interface ListedSubscription extends Subscription {
  /** Unparsed JSON; null if there is none. */
  readonly queryText: string | null;
}

/** The last subscription; its creation time is in microseconds. */
interface Position {
  readonly createdAtMicros: string;
  readonly id: Uuid;
}

/** The oldest first. */
export interface SubscriptionPortion {
  readonly subscriptions: readonly ListedSubscription[];
  /** Undefined after the last one. */
  readonly next: Position | undefined;
}

/** A client's subscriptions may have 26 MB. */
@Injectable()
export class SubscriptionPortions {
  constructor(private readonly database: Database) {}

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

const HEAD = '{"entries":[';
const TAIL = ']}';

/** `GET /webhooks`: a long answer is streamed, each portion read in its own turn. */
@Injectable()
export class SubscriptionList {
  constructor(
    private readonly portions: SubscriptionPortions,
    private readonly capacities: Capacities,
    private readonly refusals: Refusals,
  ) {}

  /** JSON. Throws 503 without a turn; a body that has begun breaks off. */
  async write(clientId: Uuid, hungUp: AbortSignal): Promise<string | Readable> {
    const read = (after?: SubscriptionPortion['next']): Promise<SubscriptionPortion> =>
      this.capacities.run('webhooks', { client: clientId, hungUp }, () => this.portions.read(clientId, after));
    const first = await read();
    if (first.next === undefined) return `${HEAD}${textOf(first)}${TAIL}`;
    return streamedBody({
      signal: hungUp,
      produce: async (write) => {
        await write(`${HEAD}${textOf(first)}`);
        for (let { next } = first; next !== undefined;) {
          const portion = await read(next);
          if (portion.subscriptions.length > 0) await write(`,${textOf(portion)}`);
          ({ next } = portion);
        }
        await write(TAIL);
      },
      onBroken: (error) => {
        if (error instanceof ServiceError && error.refusal !== undefined) this.refusals.note(error.refusal, clientId);
      },
    });
  }
}

const textOf = ({ subscriptions }: SubscriptionPortion): string => subscriptions.map(entryOf).join(',');

function entryOf(subscription: ListedSubscription): string {
  const { id, clientId, clientName, callback, createdAt, topic, status, format, queryText } = subscription;
  const entry = JSON.stringify({
    id,
    callback,
    createdAt: createdAt.toISOString(),
    createdBy: { client_id: clientId, type: 'api', username: clientName, name: clientName },
    topic,
    status,
    ...(format !== 'standard' && { format }),
  });
  return queryText === null ? entry : `${entry.slice(0, -1)},"query":${queryText}}`;
}
