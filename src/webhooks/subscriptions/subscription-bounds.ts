import type { Queryable } from '../../platform/database/connection/queryable.js';
import { MIB } from '../../kernel/domain/bytes.js';
import type { Uuid } from '../../kernel/domain/uuid.js';
import { invalidInput } from '../../kernel/errors/faults.js';
import { ServiceError } from '../../kernel/errors/service-error.js';
import { sql } from '../../kernel/sql/sql.js';
import type { Topic } from '../../kernel/domain/life-cycle/topic.js';

const MOST_SUBSCRIPTIONS = 10_000;
/** Each is cached and tested against each change of its topic (W-9). */
const MOST_FILTERS_OF_CLIENT = 100;
const MOST_FILTERS_OF_TOPIC = 1_000;
const MOST_BYTES_OF_CLIENT = MIB;
const MOST_BYTES_OF_TOPIC = 2 * MIB;

interface Held {
  readonly subscriptions: number;
  readonly filters: number;
  readonly bytes: number;
  readonly filtersOfTopic: number;
  readonly bytesOfTopic: number;
}

export interface Growth {
  readonly isNew: boolean;
  readonly isFilterNew: boolean;
  readonly addedBytes: number;
}

/**
 * Throws 400 if `work` exceeds a bound, unless a renewal adds nothing, and 401 if the client is no longer active.
 * Requests of one client or for one topic take turns.
 */
export async function withinBounds<T extends Growth>(
  transaction: Queryable,
  { clientId, topic }: { readonly clientId: Uuid; readonly topic: Topic },
  work: () => Promise<T>,
): Promise<T> {
  // It may have been deactivated or deleted meanwhile.
  const active = await transaction.query(
    sql`select from system_client where client_id = ${clientId} and status = 'active' for no key update`,
  );
  if (active.length === 0) {
    throw new ServiceError('UNAUTHORIZED', 'The access token is not valid', {
      headers: { 'www-authenticate': 'Bearer error="invalid_token"' },
    });
  }
  const made = await work();
  const { isNew, isFilterNew, addedBytes } = made;
  if (!isNew && !isFilterNew && addedBytes <= 0) return made;
  const held = await heldBy(transaction, clientId, topic);
  if (isNew && held.subscriptions > MOST_SUBSCRIPTIONS) {
    throw tooMany(`hub.callback: the client has ${MOST_SUBSCRIPTIONS} subscriptions, and may not have more`);
  }
  if (isFilterNew && held.filters > MOST_FILTERS_OF_CLIENT) {
    throw tooMany(`hub.query: the client has ${MOST_FILTERS_OF_CLIENT} filters, and may not have more`);
  }
  if (isFilterNew && held.filtersOfTopic > MOST_FILTERS_OF_TOPIC) {
    throw tooMany(`hub.query: ${topic} has ${MOST_FILTERS_OF_TOPIC} filters of all clients, and may not have more`);
  }
  if (addedBytes > 0 && held.bytes > MOST_BYTES_OF_CLIENT) {
    throw tooMany(bytesExceeded('the client', held.bytes, MOST_BYTES_OF_CLIENT));
  }
  if (addedBytes > 0 && held.bytesOfTopic > MOST_BYTES_OF_TOPIC) {
    throw tooMany(bytesExceeded(topic, held.bytesOfTopic, MOST_BYTES_OF_TOPIC));
  }
  return made;
}

const bytesExceeded = (of: string, bytes: number, most: number): string =>
  `hub.query: the filters of ${of} have ${bytes} bytes together, and may have ${most}`;

async function heldBy(transaction: Queryable, clientId: Uuid, topic: Topic): Promise<Held> {
  const [held] = await transaction.query<Held>(sql`
    select count(*) filter (where is_own)::int as subscriptions,
           count(query) filter (where is_own)::int as filters,
           coalesce(sum(octet_length(query::text)) filter (where is_own), 0)::float8 as bytes,
           count(query) filter (where topic = ${topic})::int as "filtersOfTopic",
           coalesce(sum(octet_length(query::text)) filter (where topic = ${topic}), 0)::float8 as "bytesOfTopic"
      from (select topic, query, client_id = ${clientId}::uuid as is_own from webhook_subscription
             where deleted_at is null
               and (client_id = ${clientId} or topic = ${topic} and status <> 'ended')) held`);
  if (held === undefined) throw new Error('an aggregate without a row');
  return held;
}

const tooMany = (message: string): ServiceError => invalidInput(message, { refusal: 'subscriptions-full' });
