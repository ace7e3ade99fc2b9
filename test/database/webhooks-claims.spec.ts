import type { Sql } from '../../src/kernel/sql/sql.js';
import { sql } from '../../src/kernel/sql/sql.js';
import { dueSubscriptions } from '../../src/webhooks/delivery/delivery-claims.js';
import { dropUndeliverable } from '../../src/webhooks/delivery/delivery-upkeep.js';
import type { TestDatabase } from '../support/postgres.js';
import { createTestDatabase } from '../support/postgres.js';

const BAD = '00000000-0000-4000-8000-00000000000b';
const GOOD = '00000000-0000-4000-8000-00000000000a';
/** Subscriptions of a deactivated client, what waits for each, and those of an active one with a delivery each. */
const [STUCK, WAITING_ON_EACH, LIVE] = [500, 20, 100];
/** Further ones of the deactivated client, with a delivery each. */
const PARKED = 4_000;
/** Removed ones on which nothing waits. */
const REMOVED = 2_000;
const DUE = dueSubscriptions(16, sql`true`);

interface Explained {
  readonly 'QUERY PLAN': readonly [{ readonly Plan: { readonly 'Shared Hit Blocks': number } }];
}

let test: TestDatabase;
beforeAll(async () => {
  test = await createTestDatabase();
});
afterAll(() => test.drop());

const subscribe = (client: string, count: number, callback: string): Promise<unknown> =>
  test.database.query(sql`
    insert into webhook_subscription (id, client_id, topic, callback, format)
    select gen_random_uuid(), ${client}, 'BIRTH_REGISTERED', ${callback} || number, 'standard'
      from generate_series(1, ${count}::int) number`);

/** So many deliveries for each subscription that has none. */
const deliver = (status: 'pending' | 'delivered', count: number): Promise<unknown> =>
  test.database.query(sql`
    insert into webhook_delivery (id, subscription_id, event_id, context_id, head, tail, correlation_id, status,
                                  next_attempt_at)
    select gen_random_uuid(), s.id, gen_random_uuid(), c.id, repeat('h', 300), repeat('t', 200), 'x', ${status}::text,
           case ${status}::text when 'pending' then now() end
      from webhook_subscription s, (select id from webhook_context limit ${count}::int) c
     where not exists (select from webhook_delivery d where d.subscription_id = s.id)`);

/** How many pages PostgreSQL reads for a statement, which it executes. */
async function pagesOf(statement: Sql): Promise<number> {
  const [explained] = await test.database.query<Explained>(sql`explain (analyze, buffers, format json) ${statement}`);
  return explained?.['QUERY PLAN'][0].Plan['Shared Hit Blocks'] ?? Infinity;
}

describe('looking for what is due', () => {
  it('reads a few pages for each subscription, whatever is thought to be waiting', async () => {
    const { database } = test;
    await database.query(sql`
      insert into system_client (client_id, name, scopes, secret_hash, sha_secret_sealed, status, created_by) values
        (${BAD}, 'bad', '{webhook}', '', '', 'deactivated', 'x'), (${GOOD}, 'good', '{webhook}', '', '', 'active', 'x')`);
    await database.query(sql`
      insert into webhook_context (id, body) select gen_random_uuid(), 'x' from generate_series(1, ${WAITING_ON_EACH})`);
    // What PostgreSQL knows of the tables is from a calm time before: a few deliveries were made, and none waited.
    await subscribe(GOOD, 1, 'https://example.org/calm/');
    await deliver('delivered', 5);
    for (const table of [sql`webhook_delivery`, sql`webhook_subscription`, sql`system_client`]) {
      await database.query(sql`vacuum analyze ${table}`);
    }
    await database.query(sql`delete from webhook_subscription`);
    await subscribe(GOOD, LIVE, 'https://example.org/');
    await deliver('pending', 1);
    await subscribe(BAD, STUCK, 'https://example.org/');
    await deliver('pending', WAITING_ON_EACH);

    expect((await pagesOf(DUE)) / (STUCK + LIVE)).toBeLessThan(10);
  });

  it('reads nothing of deactivated clients, whatever waits on them', async () => {
    const { database } = test;
    await subscribe(BAD, PARKED, 'https://parked.example/');
    await deliver('pending', 1);
    await database.query(sql`update system_client set status = 'active' where client_id = ${BAD}`);
    await database.query(sql`update system_client set status = 'deactivated' where client_id = ${BAD}`);
    // What a writer has changed is read through once, by whoever comes first.
    await database.query(sql`vacuum webhook_subscription`);
    await pagesOf(DUE);
    // A page or two of each of them would be forty for each of the other client.
    expect((await pagesOf(DUE)) / LIVE).toBeLessThan(40);
    await database.query(sql`delete from webhook_subscription where callback like 'https://parked.example/%'`);
  });

  it('finds what is due and not claimed, by client and pace', async () => {
    await test.database.query(sql`
      update webhook_subscription set slow = case right(callback, 1) when '1' then false when '2' then true end
       where client_id = ${GOOD}`);
    // Nothing is due yet of one of the quick ones, and another is claimed.
    await test.database.query(sql`
      update webhook_delivery set next_attempt_at = now() + interval '1 hour'
       where subscription_id = (select id from webhook_subscription
                                 where client_id = ${GOOD} and callback = 'https://example.org/11')`);
    await test.database.query(sql`
      update webhook_subscription set claim_token = gen_random_uuid(), claimed_until = now() + interval '1 hour'
       where client_id = ${GOOD} and callback = 'https://example.org/21'`);
    const found = await test.database.query<{
      readonly clientId: string;
      readonly pace: string;
      readonly due: string[];
    }>(dueSubscriptions(1_000, sql`true`));
    expect(new Map(found.map(({ clientId, pace, due }) => [`${clientId} ${pace}`, due.length]))).toEqual(
      new Map([
        [`${GOOD} quick`, 8],
        [`${GOOD} unknown`, 80],
        [`${GOOD} slow`, 10],
      ]),
    );
  });
});

describe('dropping what nobody may be sent', () => {
  it('looks at those who wait, not at all subscriptions that were removed', async () => {
    const { database } = test;
    await database.query(sql`delete from webhook_subscription`);
    await subscribe(GOOD, LIVE, 'https://example.org/');
    await deliver('pending', 2);
    await database.query(sql`update webhook_subscription set deleted_at = now() where right(callback, 1) = '1'`);
    await subscribe(BAD, REMOVED, 'https://example.org/');
    await database.query(sql`update webhook_subscription set deleted_at = now() where client_id = ${BAD}`);
    await database.query(sql`vacuum analyze webhook_subscription`);
    const dropped: unknown[] = [];
    for (let part; (part = await database.query(dropUndeliverable(7))).length > 0;) dropped.push(...part);
    expect(dropped).toHaveLength(2 * (LIVE / 10));
    expect((await pagesOf(dropUndeliverable(1_000))) / LIVE).toBeLessThan(10);
  });
});
