import { DAY_MS } from '../../src/kernel/domain/calendar.js';
import type { Sql } from '../../src/kernel/sql/sql.js';
import { sql } from '../../src/kernel/sql/sql.js';
import { emptyContextsRemoved, oldDeliveriesRemoved } from '../../src/webhooks/delivery/delivery-upkeep.js';
import type { TestDatabase } from '../support/postgres.js';
import { createTestDatabase } from '../support/postgres.js';

const CLIENT = '00000000-0000-4000-8000-00000000000a';
const SUBSCRIPTION = '00000000-0000-4000-8000-00000000000b';
/** Old contexts, each with so many deliveries, and recent ones. */
const [OLD, ON_EACH, RECENT] = [1_500, 2, 100];

let test: TestDatabase;
beforeAll(async () => {
  test = await createTestDatabase();
  const { database } = test;
  await database.query(sql`
    insert into system_client (client_id, name, scopes, secret_hash, sha_secret_sealed, status, created_by)
    values (${CLIENT}, 'c', '{webhook}', '', '', 'active', 'x')`);
  await database.query(sql`
    insert into webhook_subscription (id, client_id, topic, callback, format)
    values (${SUBSCRIPTION}, ${CLIENT}, 'BIRTH_REGISTERED', 'https://example.org/', 'standard')`);
  await database.query(sql`
    insert into webhook_context (id, body, created_at)
    select gen_random_uuid(), 'x', now() - case when number <= ${OLD} then interval '60 days' else interval '1 hour' end
      from generate_series(1, ${OLD + RECENT}::int) number`);
  await database.query(sql`
    insert into webhook_delivery (id, subscription_id, event_id, context_id, head, tail, correlation_id, status)
    select gen_random_uuid(), ${SUBSCRIPTION}, gen_random_uuid(), id, 'h', 't', 'x', 'delivered'
      from webhook_context, generate_series(1, ${ON_EACH}::int)`);
  await database.query(sql`analyze webhook_context`);
  await database.query(sql`analyze webhook_delivery`);
});
afterAll(() => test.drop());

const planOf = async (statement: Sql): Promise<string> =>
  JSON.stringify(await test.database.query(sql`explain (format json) ${statement}`));

describe('the removal of deliveries that are older than they are kept', () => {
  const oldMs = Date.now() - 30 * DAY_MS;

  it.each([
    ['deliveries', oldDeliveriesRemoved(oldMs).statement],
    ['contexts', emptyContextsRemoved(oldMs)],
  ])('reads a portion of %s, however far behind it is', async (_, statement) => {
    const plan = await planOf(statement);
    expect(plan).toContain('webhook_context_created');
    expect(plan).not.toContain('Seq Scan');
    expect(plan).not.toContain('Anti');
  });

  it('removes what is old a portion at a time, and nothing else', async () => {
    const removed = async (statement: Sql): Promise<number> => (await test.database.query(statement)).length;
    expect(await removed(emptyContextsRemoved(oldMs))).toBe(0);
    const portions: number[] = [];
    for (let part; (part = await removed(oldDeliveriesRemoved(oldMs).statement)) > 0;)
      portions.push(part, await removed(emptyContextsRemoved(oldMs)));
    expect(portions).toEqual([2_000, 1_000, 1_000, 500]);
    const [left] = await test.database.query(sql`
      select (select count(*)::int from webhook_context) as contexts, (select count(*)::int from webhook_delivery) as deliveries`);
    expect(left).toEqual({ contexts: RECENT, deliveries: RECENT * ON_EACH });
  });
});
