import type { Readable } from 'node:stream';
import { Injectable } from '@nestjs/common';
import { streamedBody } from '../../events/search/answer/streamed-body.js';
import type { Uuid } from '../../kernel/domain/uuid.js';
import { ServiceError } from '../../kernel/errors/service-error.js';
import { sql } from '../../kernel/sql/sql.js';
import { Database } from '../../platform/database/pools/database.js';
import { Capacities } from '../../platform/queue/capacities.js';
import { Refusals } from '../../platform/queue/refusals.js';
import type { Subscription } from './subscriptions.js';

/** The callbacks and filters of so many are at most some two megabytes (W-9). */
const MOST = 500;

interface ListedSubscription extends Subscription {
  /** In microseconds. */
  readonly createdAtMicros: string;
  /** Unparsed JSON; null if there is none. */
  readonly queryText: string | null;
}

const HEAD = '{"entries":[';
const TAIL = ']}';

/** `GET /webhooks`: a long answer is streamed, each portion read in its own turn. */
@Injectable()
export class SubscriptionList {
  constructor(
    private readonly database: Database,
    private readonly capacities: Capacities,
    private readonly refusals: Refusals,
  ) {}

  /** JSON. Throws 503 without a turn; a body that has begun breaks off. */
  async write(clientId: Uuid, hungUp: AbortSignal): Promise<string | Readable> {
    const read = (after?: ListedSubscription): Promise<readonly ListedSubscription[]> =>
      this.capacities.run('webhooks', { client: clientId, hungUp }, () => this.read(clientId, after));
    const first = await read();
    if (first.length < MOST) return `${HEAD}${textOf(first)}${TAIL}`;
    return streamedBody({
      signal: hungUp,
      produce: async (write) => {
        await write(`${HEAD}${textOf(first)}`);
        for (let portion = first; portion.length === MOST;) {
          portion = await read(portion.at(-1));
          if (portion.length > 0) await write(`,${textOf(portion)}`);
        }
        await write(TAIL);
      },
      onBroken: (error) => {
        if (error instanceof ServiceError && error.refusal !== undefined) this.refusals.note(error.refusal, clientId);
      },
    });
  }

  /** The oldest first. */
  private read(clientId: Uuid, after?: ListedSubscription): Promise<readonly ListedSubscription[]> {
    return this.database.query<ListedSubscription>(sql`
      select s.id, client_id as "clientId", c.name as "clientName", s.topic, s.callback, s.format,
             s.status, s.created_at as "createdAt", s.query::text as "queryText",
             (extract(epoch from s.created_at) * 1000000)::bigint::text as "createdAtMicros"
        from webhook_subscription s join system_client c using (client_id)
       where client_id = ${clientId} and s.deleted_at is null
         and (${after?.id ?? null}::uuid is null or (s.created_at, s.id) >
           ('epoch'::timestamptz + ${after?.createdAtMicros ?? null}::bigint * interval '1 microsecond',
            ${after?.id ?? null}::uuid))
       order by s.created_at, s.id limit ${MOST}`);
  }
}

const textOf = (subscriptions: readonly ListedSubscription[]): string => subscriptions.map(entryOf).join(',');

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
