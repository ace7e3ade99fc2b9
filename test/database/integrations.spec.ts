import { CLI } from '../../src/platform/audit/audit-entry.js';
import { Integrations } from '../../src/auth/clients/integrations.js';
import { CREATION, type Cursor, cursorReader } from '../../src/platform/dto/page.js';
import { Reseal } from '../../src/auth/reseal.js';
import { SystemClients } from '../../src/auth/clients/system-clients.js';
import type { Caller } from '../../src/kernel/domain/scopes/caller.js';
import { callerOf } from '../../src/auth/access/scope-permissions.js';
import { ControlDatabase } from '../../src/platform/database/pools/pools.js';
import type { Queryable } from '../../src/platform/database/connection/queryable.js';
import type { Uuid } from '../../src/kernel/domain/uuid.js';
import { sql } from '../../src/kernel/sql/sql.js';
import { IntegrationProcedures } from '../../src/gateway/trpc/other-procedures.js';
import { serve, type Service } from '../support/auth-service.js';
import { aUuid } from '../support/builders/a-uuid.js';
import { eventually } from '../support/eventually.js';
import { createTestDatabase, type TestDatabase } from '../support/postgres.js';
import { untilLocksAreAwaited } from '../support/database-activity.js';
import { addUser } from '../support/a-user.js';

let database: TestDatabase;
let one: Service;
let other: Service;
beforeAll(async () => {
  database = await createTestDatabase();
  one = await serve(database, { SECRET_OVERLAP_SECONDS: '600' });
  other = await serve(database, { SECRET_OVERLAP_SECONDS: '600' });
});
afterAll(async () => {
  await Promise.all([one.close(), other.close()]);
  await database.drop();
});

function administrator(...scope: readonly string[]): Caller {
  const held = scope.length > 0 ? scope : ['natlsysadmin'];
  return callerOf({ sub: 'anna', userType: 'user', scope: held }, () => undefined);
}
const integrationsOf = (service: Service): Integrations => service.app.get(Integrations, { strict: false });
const create = (name = 'NID') =>
  integrationsOf(one).create({ name, scopes: ['recordsearch', 'webhook'] }, administrator());

async function isGood({ url }: Service, clientId: string, secret: string): Promise<boolean> {
  const body = new URLSearchParams({ grant_type: 'client_credentials', client_id: clientId, client_secret: secret });
  return (await fetch(`${url}/token`, { method: 'POST', body })).status === 200;
}
afterEach(() => {
  jest.restoreAllMocks();
});

const rows = <Row>(statement: ReturnType<typeof sql>): Promise<Row[]> => database.database.query<Row>(statement);

describe('a replaced client secret', () => {
  it('is good in every process until its time is over, by the clock of the database', async () => {
    const { clientId, clientSecret } = await create();
    const { clientSecret: secret } = await integrationsOf(one).refreshSecret(clientId, administrator());
    for (const service of [one, other]) {
      expect(await isGood(service, clientId, clientSecret)).toBe(true);
      expect(await isGood(service, clientId, secret)).toBe(true);
    }
    await rows(sql`update system_client set replaced_secret_until = now() where client_id = ${clientId}`);
    await rows(sql`select pg_notify('client_changed', '')`);
    for (const service of [one, other]) {
      await eventually('the old secret is refused', async () => !(await isGood(service, clientId, clientSecret)));
      expect(await isGood(service, clientId, secret)).toBe(true);
    }
  });

  it('is one of many that were asked for at once, of which the last two are good', async () => {
    const { clientId, clientSecret } = await create();
    const secrets = await Promise.all(
      Array.from(
        { length: 4 },
        async () => (await integrationsOf(one).refreshSecret(clientId, administrator())).clientSecret,
      ),
    );
    const good = await Promise.all([clientSecret, ...secrets].map((secret) => isGood(one, clientId, secret)));
    expect(good.filter((each) => each)).toHaveLength(2);
    expect(good[0]).toBe(false);
    const audited = await rows(
      sql`select from audit_log where operation = 'integrations.refreshSecret' and request_data ->> 'id' = ${clientId}`,
    );
    expect(audited).toHaveLength(4);
  });
});

describe('a change that is committed', () => {
  it('is answered, and holds at once, though the clients cannot be read again at that moment', async () => {
    const reads = jest
      .spyOn(one.app.get(ControlDatabase, { strict: false }), 'query')
      .mockRejectedValue(new Error('Connection terminated unexpectedly'));
    const { clientId, clientSecret } = await create();
    const { clientSecret: secret } = await integrationsOf(one).refreshSecret(clientId, administrator());
    expect(await integrationsOf(one).setKeys(clientId, { keys: [] }, administrator())).toEqual({
      id: clientId,
      jwks: { keys: [] },
    });
    const disabled = await integrationsOf(one).setStatus(clientId, 'deactivated', administrator());
    expect([disabled, reads.mock.calls.length > 0]).toMatchObject([{ status: 'disabled' }, true]);
    reads.mockRestore();
    expect(await isGood(one, clientId, secret)).toBe(false);
    await integrationsOf(one).setStatus(clientId, 'active', administrator());
    expect(await isGood(one, clientId, secret)).toBe(true);
    expect(await isGood(one, clientId, clientSecret)).toBe(true);
  });
});

describe('who holds a scope for what he himself declared', () => {
  const OWN = 'type=record.read&declaredBy=user';
  const holder = administrator('integration.create', OWN);
  const order = { name: 'own', scopes: [OWN] };
  const refused = { code: 'FORBIDDEN', message: `Nobody grants a scope that he does not hold: "${OWN}"` };

  it('creates a client with it, and gets no secret or key of one that may have declared something', async () => {
    const { clientId } = await integrationsOf(one).create(order, holder);
    expect(await integrationsOf(one).get(clientId, holder)).toMatchObject({ shaSecret: null });
    await expect(integrationsOf(one).refreshSecret(clientId, holder)).rejects.toMatchObject(refused);
    await expect(integrationsOf(one).setKeys(clientId, { keys: [] }, holder)).rejects.toMatchObject(refused);
    await integrationsOf(one).refreshSecret(clientId, administrator('integration.create', 'record.read'));
  });

  it('is shown though the secret that signs its webhooks cannot be read', async () => {
    const { clientId } = await create();
    const integrations = integrationsOf(one);
    await rows(sql`update system_client set sha_secret_sealed = 'damaged' where client_id = ${clientId}`);
    expect(await integrations.get(clientId, administrator())).toMatchObject({ shaSecret: null });
    await rows(sql`delete from system_client where client_id = ${clientId}`);
  });

  it('gives no client an id that records may name', async () => {
    const clientSecret = 'a secret made elsewhere';
    const credentials = { clientId: aUuid(77), clientSecret };
    await expect(integrationsOf(one).create({ ...order, credentials }, holder)).rejects.toMatchObject(refused);
    const { userId } = await addUser(database);
    const ofUser = { ...order, credentials: { clientId: userId, clientSecret } };
    await expect(integrationsOf(one).create(ofUser, administrator())).rejects.toMatchObject({ code: 'CONFLICT' });
  });
});

describe('who has a scope that others of his restrict', () => {
  const [BIRTHS, NOT_SEALED] = ['type=record.search&event=birth', 'type=record.search&flags.noneOf=sealed'];
  const createAs = (caller: Caller, ...scopes: readonly string[]) =>
    integrationsOf(one).create({ name: 'narrow', scopes }, caller);
  const refused = (scope: string) => ({
    code: 'FORBIDDEN',
    message: `Nobody grants a scope that he does not hold: "${scope}"`,
  });

  it('gives webhooks to nobody without the restriction, as they would tell of every record', async () => {
    const holder = administrator('integration.create', 'webhook', BIRTHS);
    await createAs(holder, 'webhook', BIRTHS);
    await createAs(administrator('integration.create', 'webhook'), 'webhook');
    await expect(createAs(holder, 'webhook')).rejects.toMatchObject(refused('webhook'));
    const { clientId } = await createAs(administrator(), 'webhook');
    expect(await integrationsOf(one).get(clientId, holder)).toMatchObject({ shaSecret: null });
    await expect(integrationsOf(one).refreshSecret(clientId, holder)).rejects.toMatchObject(refused('webhook'));
  });

  it('gives no scope for records without it that cannot say which flags it excludes', async () => {
    const holder = administrator('integration.create', 'record.notify', NOT_SEALED);
    await createAs(holder, 'record.notify', NOT_SEALED);
    await createAs(holder, 'integration.create');
    await expect(createAs(holder, 'record.notify')).rejects.toMatchObject(refused('record.notify'));
  });

  it('gives no more with a token that was narrowed', async () => {
    const narrowedFrom = administrator('integration.create', 'webhook', 'record.notify', BIRTHS, NOT_SEALED);
    const holder = { ...administrator('integration.create', 'webhook', 'record.notify'), narrowedFrom };
    await expect(createAs(holder, 'webhook')).rejects.toMatchObject(refused('webhook'));
    await createAs(holder, 'record.notify');
  });
});

describe('a deleted client', () => {
  it('has no token, secret or subscription left, in any process, and its waiting deliveries are dropped', async () => {
    const { clientId, clientSecret } = await create('Short-lived');
    await eventually('it is known', () => isGood(other, clientId, clientSecret));
    await rows(sql`
      insert into webhook_subscription (id, client_id, topic, callback, format)
      values (gen_random_uuid(), ${clientId}, 'BIRTH_REGISTERED', 'https://example.org/hook', 'standard')`);
    await integrationsOf(one).remove(clientId, administrator());
    expect(await isGood(one, clientId, clientSecret)).toBe(false);
    await eventually('the other process refuses it', async () => !(await isGood(other, clientId, clientSecret)));
    expect(
      await rows(sql`
        select c.status, octet_length(c.secret_hash) as hash, s.deleted_at is not null as ended
          from system_client c join webhook_subscription s using (client_id) where client_id = ${clientId}`),
    ).toEqual([{ status: 'deleted', hash: 0, ended: true }]);
    expect(
      await rows(sql`
        select client_id as by, request_data as request, response_summary as summary from audit_log
         where operation = 'integrations.delete'`),
    ).toEqual([{ by: 'anna', request: { id: clientId }, summary: { id: clientId, name: 'Short-lived' } }]);
    await expect(integrationsOf(other).setStatus(clientId, 'active', administrator())).rejects.toMatchObject({
      code: 'NOT_FOUND',
    });
  });

  it('has no secret left that signs its webhooks, and resealing goes on', async () => {
    const { clientId } = await create();
    const clients = one.app.get(SystemClients, { strict: false });
    await clients.rotateShaSecret(clientId, CLI);
    await integrationsOf(one).remove(clientId, administrator());
    const [left] = await rows<{ sealed: string; replaced: number }>(sql`
      select sha_secret_sealed as sealed,
             (select count(*)::int from replaced_sha_secret r where r.client_id = c.client_id) as replaced
        from system_client c where client_id = ${clientId}`);
    expect([clients.openShaSecret(clientId, left?.sealed ?? '').reveal(), left?.replaced]).toEqual(['', 0]);
    await expect(one.app.get(Reseal, { strict: false }).run(CLI)).resolves.toBe(0);
  });

  it('is deleted once, however many ask', async () => {
    const { clientId } = await create();
    const outcomes = await Promise.allSettled(
      [one, other, one, other].map((service) => integrationsOf(service).remove(clientId, administrator())),
    );
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  });

  it('is deleted though what came of its deliveries is recorded in another order at that moment', async () => {
    const { clientId } = await create();
    // In the order of the index, too.
    const [first, second] = await rows<{ readonly id: Uuid }>(sql`
      insert into webhook_subscription (id, client_id, topic, callback, format)
      select gen_random_uuid(), ${clientId}, 'BIRTH_REGISTERED', callback, 'standard'
        from unnest(array['https://example.org/a', 'https://example.org/b']) as new (callback) order by md5(callback)
      returning id`);
    const record = (transaction: Queryable, id: Uuid | undefined): Promise<unknown> =>
      transaction.query(sql`update webhook_subscription set slow = true where id = ${id}`);
    let removal: Promise<unknown> | undefined;
    await database.database.transaction(async (transaction) => {
      // The server ends the other.
      await transaction.query(sql`set local deadlock_timeout = '1min'`);
      await record(transaction, second?.id);
      removal = integrationsOf(one).remove(clientId, administrator());
      removal.catch(() => undefined);
      await untilLocksAreAwaited(database.database);
      await record(transaction, first?.id);
    });
    expect(await removal).toMatchObject({ id: clientId });
  });
});

const named = (page: readonly object[], sought: string) =>
  (page as readonly { readonly id: string; readonly name: string }[]).filter(({ name }) => name === sought);

describe('the list', () => {
  it('walks over clients that were created in the same microsecond', async () => {
    const created = await Promise.all(Array.from({ length: 5 }, () => create('same')));
    await rows(sql`update system_client set created_at = '2020-01-01T00:00:00.123456Z' where name = 'same'`);
    const answers = one.app.get(Integrations, { strict: false });
    const found: string[] = [];
    for (let cursor: Cursor | undefined, isFirst = true; isFirst || cursor !== undefined; isFirst = false) {
      const { rows: page, next = '' } = await answers.list({ limit: 2, cursor });
      found.push(...named(page, 'same').map(({ id }) => id));
      cursor = cursorReader(CREATION)(next);
    }
    expect(found).toEqual(created.map(({ clientId }) => clientId).sort());
  });

  it('has fewer clients than were asked for where their scopes are long, with a cursor to the others', async () => {
    await rows(sql`
      insert into system_client (client_id, name, scopes, secret_hash, sha_secret_sealed, created_by, created_at)
      select gen_random_uuid(), 'long', array[repeat('x', 900000)], '', '', 'anna', now() + n * interval '1 second'
        from generate_series(1, 5) n`);
    const answers = one.app.get(Integrations, { strict: false });
    const found: number[] = [];
    for (let cursor: Cursor | undefined; found.length === 0 || cursor !== undefined;) {
      const { rows: page, next = '' } = await answers.list({ limit: 1_000, cursor });
      found.push(named(page, 'long').length);
      cursor = cursorReader(CREATION)(next);
    }
    await rows(sql`delete from system_client where name = 'long'`);
    expect(found).toEqual([2, 2, 1]);
  });
});

it('the list over tRPC, which has no place for a link to more, has all integrations, or as many as were asked for', async () => {
  await rows(sql`
    insert into system_client (client_id, name, scopes, secret_hash, sha_secret_sealed, created_by)
    select gen_random_uuid(), 'one of many', '{}', '', '', 'anna' from generate_series(1, 1001)`);
  const answers = one.app.get(Integrations, { strict: false });
  const procedures = new IntegrationProcedures(answers).procedures();
  const list = (input?: object): Promise<unknown> => {
    const call = { caller: administrator(), hungUp: new AbortController().signal, publicAddress: '' };
    return procedures['integrations.list']?.run(input, call) ?? Promise.reject(new Error('there is no such procedure'));
  };
  const known = await rows<{ id: string }>(
    sql`select client_id as id from system_client where status <> 'deleted' order by created_at, client_id`,
  );
  const idsOf = (listed: unknown): readonly string[] => (listed as readonly { id: string }[]).map(({ id }) => id);
  expect(idsOf(await list())).toEqual(known.map(({ id }) => id));
  expect(idsOf(await list({ limit: 2 }))).toEqual(known.slice(0, 2).map(({ id }) => id));
  await rows(sql`delete from system_client where name = 'one of many'`);
});
