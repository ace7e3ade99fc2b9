import { createHmac } from 'node:crypto';
import { EventEmitter, once } from 'node:events';

import { DAY_MS } from '../../src/kernel/domain/calendar.js';
import type { Uuid } from '../../src/kernel/domain/uuid.js';
import { isSqlError } from '../../src/kernel/errors/sql-state.js';
import { sql, type Sql } from '../../src/kernel/sql/sql.js';
import { CLI } from '../../src/platform/audit/audit-entry.js';
import { Secret } from '../../src/platform/config/secret.js';
import { dueSubscriptions } from '../../src/webhooks/delivery/delivery-claims.js';
import {
  DeliveryUpkeep,
  dropUndeliverable,
  emptyContextsRemoved,
  oldDeliveriesRemoved,
} from '../../src/webhooks/delivery/delivery-upkeep.js';
import { DueDeliveries, type Held, signLate } from '../../src/webhooks/delivery/due-deliveries.js';
import { aPublishedChange } from '../support/builders/a-published-change.js';
import { aUuid } from '../support/builders/a-uuid.js';
import { untilLocksAreAwaited } from '../support/database-activity.js';
import { FAR_AWAY, many, subscribe, type Subscribed } from '../support/deliveries.js';
import { type DeliveryService, startDeliveryService } from '../support/delivery-service.js';
import { eventually } from '../support/eventually.js';
import { createTestDatabase, type TestDatabase } from '../support/postgres.js';
import { removeWebhooks } from '../support/remove-webhooks.js';

describe('webhooks that are removed', () => {
  let test: TestDatabase;
  let service: DeliveryService;
  beforeAll(async () => {
    test = await createTestDatabase();
    service = await startDeliveryService(test, {});
  });
  afterAll(async () => {
    await service.close();
    await test.drop();
  });

  const statuses = async (): Promise<readonly string[]> =>
    (await test.database.query<{ status: string }>(sql`select status from webhook_delivery`)).map(
      ({ status }) => status,
    );

  it('a change is published though a subscription is removed between the reading and the writing of it', async () => {
    const { clientId, id } = await subscribe(service, { url: () => 'https://127.0.0.1:1/' });
    const upkeep = service.app.get(DeliveryUpkeep, { strict: false });
    const ending = new EventEmitter();
    const held = test.database.transaction(async (transaction) => {
      // What is read after the subscriptions.
      await transaction.query(sql`lock table place in access exclusive mode`);
      ending.emit('locked');
      await once(ending, 'end');
    });
    await once(ending, 'locked');
    const publishing = service.publish(aPublishedChange());
    await untilLocksAreAwaited(test.database, 1, 'relation');
    await service.subscriptions.remove(clientId, id);
    await upkeep.run();
    ending.emit('end');
    await held;
    await publishing;
    await upkeep.run();
    expect(await statuses()).toEqual(['dropped']);
  });

  it('a subscription is removed though others lock it in another order', async () => {
    // On a busy machine the server may end the transaction here instead of the other: then there was nothing to see.
    for (let isSeen = false; !isSeen;) {
      const { clientId, id } = await subscribe(service, { url: () => 'https://127.0.0.1:1/' });
      let removed: Promise<boolean> | undefined;
      const locked = test.database.transaction(async (transaction) => {
        await transaction.query(sql`select from webhook_topic for update`);
        removed = service.subscriptions.remove(clientId, id);
        await eventually('it waits for the topic', async () => {
          const waiting = await test.database.query(sql`
          select from pg_locks join pg_stat_activity using (pid)
           where not granted and datname = current_database() and query like '%update webhook_subscription%'`);
          return waiting.length > 0;
        });
        await transaction.query(sql`select from webhook_subscription where id = ${id} for update`);
      });
      isSeen = await locked.then(
        () => true,
        (error: unknown) => {
          if (!isSqlError(error, 'deadlockDetected')) throw error;
          return false;
        },
      );
      expect(await removed).toBe(true);
    }
  });
});

describe('old deliveries', () => {
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
});

describe('late signatures', () => {
  /** A delivery as it is stored. */
  interface Stored {
    readonly id: Uuid;
    readonly body: string;
    readonly unsignedHead: string | null;
    readonly shaSecretGeneration: number;
  }

  describe('deliveries that were published while their secret could not be read', () => {
    let test: TestDatabase;
    let service: DeliveryService;
    beforeAll(async () => {
      test = await createTestDatabase();
      service = await startDeliveryService(test);
    });
    afterAll(async () => {
      await service.close();
      await test.drop();
    });
    beforeEach(() => removeWebhooks(test));

    const TOKEN = aUuid(1);

    /** A subscription that the test holds: the service delivers nothing to it. */
    async function aHeldSubscription(): Promise<Subscribed> {
      const client = await subscribe(service, FAR_AWAY);
      await test.database.query(sql`
      update webhook_subscription set claim_token = ${TOKEN}, claimed_until = now() + interval '1 hour'`);
      return client;
    }

    /** Publishes while every secret of clients is damaged. */
    async function publishUnsigned(count: number): Promise<void> {
      const { database } = test;
      await database.query(sql`update system_client set sha_secret_sealed = 'x' || sha_secret_sealed`);
      await database.query(sql`update replaced_sha_secret set sealed = 'x' || sealed`);
      await service.publish(...many(count));
      await database.query(sql`update system_client set sha_secret_sealed = substring(sha_secret_sealed from 2)`);
      await database.query(sql`update replaced_sha_secret set sealed = substring(sealed from 2)`);
    }

    const stored = (): Promise<Stored[]> =>
      test.database.query<Stored>(sql`
      select d.id, head || body || tail as body, case when sha_secret_generation < 0 then head end as "unsignedHead",
             sha_secret_generation as "shaSecretGeneration"
        from webhook_delivery d join webhook_context c on c.id = context_id order by d.id`);

    /** Whether the signature in the body is made with that secret. */
    const isSignedWith = (body: string, secret: string): boolean => {
      const parsed = JSON.parse(body) as { hmac: string; context: readonly unknown[] };
      const hmac = createHmac('sha256', secret).update(JSON.stringify(parsed.context[0])).digest('hex');
      return parsed.hmac === `sha256=${hmac}`;
    };

    it('are signed once: whoever read them as well, and comes later, sends none of them', async () => {
      await aHeldSubscription();
      await publishUnsigned(2);
      const read = await stored();
      expect(read.map(({ shaSecretGeneration }) => shaSecretGeneration)).toEqual([-1, -1]);
      const signed = await signLate(test.database, read, { secret: new Secret('former'), generation: 0 });
      expect(signed.map(({ body }) => isSignedWith(body, 'former'))).toEqual([true, true]);
      expect(await signLate(test.database, read, { secret: new Secret('latter'), generation: 1 })).toEqual([]);
      const left = signed.map(({ id, body }) => ({ id, body, unsignedHead: null, shaSecretGeneration: 0 }));
      expect(await stored()).toEqual(left);
    });

    it.each([
      ['that under which it was subscribed, during the overlap', '0 seconds', 0],
      ['the current one after that', '1 day', 1],
    ])('are signed with one secret, in their bodies and in headers: %s', async (_, ago, generation) => {
      const { clientId, id, key } = await aHeldSubscription();
      const fresh = (await service.clients.rotateShaSecret(clientId, CLI))?.reveal() ?? '';
      await publishUnsigned(1);
      await test.database.query(sql`update replaced_sha_secret set replaced_at = replaced_at - ${ago}::interval`);
      const claim = { subscriptionId: id, token: TOKEN };
      const due = service.app.get(DueDeliveries, { strict: false });
      const held = (await due.read(claim, [], { most: 5, bytes: 1_000_000 })) as Held;
      const own = generation === 0 ? key : fresh;
      const [delivery] = held.deliveries;
      expect(held.deliveries).toHaveLength(1);
      expect({
        generation: delivery?.shaSecretGeneration,
        header: held.secrets.of(delivery?.shaSecretGeneration ?? -1).reveal() === own,
        body: isSignedWith(delivery?.body.toString() ?? '', own),
      }).toEqual({ generation, header: true, body: true });
      expect(await stored()).toEqual([
        { id: delivery?.id, body: delivery?.body.toString(), unsignedHead: null, shaSecretGeneration: generation },
      ]);
    });
  });
});

describe('claims of deliveries', () => {
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
});
