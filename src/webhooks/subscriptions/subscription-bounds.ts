import type { Queryable } from '../../database/queryable.js';
import { MIB } from '../../domain/bytes.js';
import type { Uuid } from '../../domain/uuid.js';
import { invalidInput } from '../../errors/invalid-input.js';
import { ServiceError } from '../../errors/service-error.js';
import { sql } from '../../sql/sql.js';

/**
 * What the subscriptions of one client may come to. A client whose filters nearly meet every event must not have more
 * of them than are tried within milliseconds and kept in memory.
 */
const MOST_SUBSCRIPTIONS = 10_000;
const MOST_QUERY_BYTES = 4 * MIB;

interface Held {
  readonly subscriptions: number;
  readonly bytes: number;
}

/** What subscribing has added to the subscriptions of its client. */
export interface Growth {
  /** Whether there is one more. */
  readonly isNew: boolean;
  readonly addedBytes: number;
}

/**
 * Runs `work`, which subscribes a client, and throws 400 if the client then has more than one may; one who has more
 * from before may go on with what he has; 401 if the client is not active any more. Subscribe requests of a client take
 * turns until the end of the transaction, so that many at once are bounded too.
 */
export async function withinBounds<T extends Growth>(
  transaction: Queryable,
  clientId: Uuid,
  work: () => Promise<T>,
): Promise<T> {
  // Meanwhile, as while its callback was asked, it may have been deactivated or deleted.
  const active = await transaction.query(
    sql`select from system_client where client_id = ${clientId} and status = 'active' for no key update`,
  );
  if (active.length === 0) {
    throw new ServiceError('UNAUTHORIZED', 'The access token is not valid', {
      headers: { 'www-authenticate': 'Bearer error="invalid_token"' },
    });
  }
  const held = await heldBy(transaction, clientId);
  const done = await work();
  if (done.isNew && held.subscriptions >= MOST_SUBSCRIPTIONS) {
    throw tooMany(`hub.callback: the client has ${MOST_SUBSCRIPTIONS} subscriptions, and may not have more`);
  }
  const bytes = held.bytes + done.addedBytes;
  if (done.addedBytes > 0 && bytes > MOST_QUERY_BYTES) {
    throw tooMany(
      `hub.query: the filters of the client have ${bytes} bytes together, and may have ${MOST_QUERY_BYTES}`,
    );
  }
  return done;
}

async function heldBy(transaction: Queryable, clientId: Uuid): Promise<Held> {
  const [held] = await transaction.query<Held>(sql`
    select count(*)::int as subscriptions, coalesce(sum(octet_length(query::text)), 0)::float8 as bytes
      from webhook_subscription where client_id = ${clientId} and deleted_at is null`);
  return held ?? { subscriptions: 0, bytes: 0 };
}

const tooMany = (message: string): ServiceError => invalidInput(message, { refusal: 'subscriptions-full' });
