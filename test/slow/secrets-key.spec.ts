import { createHmac, randomBytes, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import pg from 'pg';
import { SecretsBox } from '../../src/auth/secrets/secrets-box.js';
import { purposeOfShaSecret } from '../../src/auth/clients/system-clients.js';
import { sql } from '../../src/kernel/sql/sql.js';
import { type RunningApplication, startApplication } from '../support/application.js';
import { aRecord } from '../support/builders/a-record.js';
import { aSecretsKey, matricula, startMatricula, succeed } from '../support/command-line.js';
import { eventually } from '../support/eventually.js';
import { createTestDatabase, type TestDatabase } from '../support/postgres.js';
import { storeRecords } from '../support/store-records.js';
import { LONG_TEST_MS } from '../support/time-outs.js';

jest.setTimeout(LONG_TEST_MS);

interface Credentials {
  readonly clientId: string;
  readonly clientSecret: string;
}

const OLD = aSecretsKey();
const NEW = aSecretsKey();
const CLIENTS = 1_200;

const boxOf = (key: string): SecretsBox => new SecretsBox(Buffer.from(key, 'base64'));
const oldBox = boxOf(OLD);

let database: TestDatabase;
/** Knows the new key before anything is sealed under it, as all processes do before the first of them uses it. */
let first: RunningApplication;
let second: RunningApplication;
/** Registered before the change. */
const older: Credentials = { clientId: randomUUID(), clientSecret: randomUUID() };

beforeAll(async () => {
  database = await createTestDatabase();
  await storeRecords(
    database.database,
    Array.from({ length: 3 }, () => aRecord()),
  );
  const key = randomBytes(32);
  await database.database.query(sql`
    insert into kept_key (name, key_sealed)
    values ('client secret hash', ${oldBox.seal(key.toString('base64'), 'client secret hash')})`);
  const rows = Array.from({ length: CLIENTS }, (_, at) => {
    const { clientId, clientSecret } = at === 0 ? older : { clientId: randomUUID(), clientSecret: randomUUID() };
    const hash = createHmac('sha256', key).update(clientSecret).digest('hex');
    return { id: clientId, hash, sealed: oldBox.seal(randomUUID(), purposeOfShaSecret(clientId)) };
  });
  await database.database.query(sql`
    insert into system_client (client_id, name, registered_as, scopes, secret_hash, sha_secret_sealed, created_by)
    select id, 'older', 'RECORD_SEARCH', '{recordsearch}', decode(hash, 'hex'), sealed, 'test'
    from json_to_recordset(${JSON.stringify(rows)}::json) as r (id uuid, hash text, sealed text)`);
  first = await startApplication({ database, env: { SECRETS_KEY: OLD, SECRETS_KEY_PREVIOUS: NEW } });
  second = await startApplication({
    database,
    env: { SECRETS_KEY: NEW, SECRETS_KEY_PREVIOUS: OLD, JWT_PRIVATE_KEY: first.issuer.pem },
  });
});
afterAll(async () => {
  await first.stop();
  await second.stop();
  await database.drop();
});

const tokenOf = async (service: RunningApplication, client = older): Promise<string> => {
  const body = { client_id: client.clientId, client_secret: client.clientSecret, grant_type: 'client_credentials' };
  const answer = await service.request('POST', '/token', { body });
  expect(answer.status).toBe(200);
  return (answer.json as { access_token: string }).access_token;
};

const SEARCH = { query: { clauses: [{ eventType: 'birth' }] }, limit: 1 };

async function pageOf(service: RunningApplication, token: string, cursor?: string): Promise<string> {
  const answer = await service.request('POST', '/events/search', {
    token,
    body: { ...SEARCH, ...(cursor && { cursor }) },
  });
  expect([answer.status, answer.body]).toEqual([200, expect.any(String)]);
  return /cursor=([^&>]+)/.exec(String(answer.headers['link']))?.[1] ?? '';
}

/** The ids of the keys under which whatever is called sealed is kept, in every table that there is. */
async function keyIds(): Promise<string[]> {
  const columns = await database.database.query<{ statement: string }>(sql`
    select format('select distinct split_part(%I, ''.'', 2) as id from %I', column_name, table_name) as statement
    from information_schema.columns where table_schema = current_schema() and column_name like '%sealed%'`);
  expect(columns.length).toBeGreaterThanOrEqual(3);
  const found = await Promise.all(
    columns.map(({ statement }) => database.dataSource.query<readonly { readonly id: string }[]>(statement)),
  );
  return [...new Set(found.flat().map(({ id }) => id))].sort();
}

const keyIdOf = (key: string): string => boxOf(key).seal('x', 'x').split('.')[1] ?? '';

it('is changed while services run that know both keys, also when the change is killed in the middle', async () => {
  // Sealed under the new key.
  const answer = await second.request('POST', '/registerSystemClient', {
    listener: 'internal',
    token: await first.issuer.token(),
    body: { scope: 'RECORD_SEARCH' },
  });
  const made = answer.json as { client_id: string; client_secret: string };
  const registered: Credentials = { clientId: made.client_id, clientSecret: made.client_secret };
  const cursor = await pageOf(first, await tokenOf(first));
  const env = { SECRETS_KEY: NEW, SECRETS_KEY_PREVIOUS: OLD, DATABASE_URL: database.url };
  const work = async (): Promise<void> => {
    for (const service of [first, second]) {
      const token = await tokenOf(service);
      await pageOf(service, await tokenOf(service, registered));
      // Given out under the old key, and read by both.
      expect(await pageOf(service, token, cursor)).not.toBe('');
    }
  };
  await work();

  const blocker = new pg.Client({ connectionString: database.url });
  await blocker.connect();
  const last = `select from system_client where client_id = (select client_id from system_client order by client_id::text desc limit 1)`;
  await blocker.query(`begin; ${last} for update`);
  const killed = startMatricula(['keys', 'reseal'], env);
  const ended = once(killed, 'exit');
  const anew = async (): Promise<number> => {
    const [row] = await database.database.query<{ count: number }>(
      sql`select count(*)::int as count from system_client where sha_secret_sealed like ${`%.${keyIdOf(NEW)}.%`}`,
    );
    return row?.count ?? 0;
  };
  const waiting = async (): Promise<number> => {
    const [row] = await database.database.query<{ waiting: number }>(
      sql`select count(*)::int as waiting from pg_stat_activity
          where datname = current_database() and wait_event_type = 'Lock'`,
    );
    return row?.waiting ?? 0;
  };
  await eventually('half of it', async () => (await anew()) > 600);
  // Otherwise the server may do the last part after the end of whoever asked for it.
  await eventually('it waits for the last part', async () => (await waiting()) > 0);
  killed.kill('SIGKILL');
  await ended;
  // What it was writing is rolled back once the server has noticed.
  await eventually('the end of its statement', async () => (await waiting()) === 0);
  await blocker.end();
  expect(await keyIds()).toEqual([keyIdOf(OLD), keyIdOf(NEW)].sort());
  await work();
  // Not yet: what is left could not be read.
  const left = await matricula(['clients', 'list'], { DATABASE_URL: database.url, SECRETS_KEY: OLD });
  expect([left.code, left.stderr]).toEqual([1, expect.stringContaining('SECRETS_KEY is not the one')]);

  const { resealed } = JSON.parse(await succeed(['keys', 'reseal', '--json'], env)) as { resealed: number };
  expect(resealed).toBeGreaterThan(0);
  expect(resealed).toBeLessThan(CLIENTS);
  expect(await keyIds()).toEqual([keyIdOf(NEW)]);
  await work();
  expect(JSON.parse(await succeed(['keys', 'reseal', '--json'], env))).toEqual({ resealed: 0 });
  const acts = (await succeed(['audit', '--actor', 'cli'], env))
    .split('\n')
    .filter((line) => line.includes('keys.reseal'));
  expect(acts).toHaveLength(2);

  const after = await startApplication({ database, env: { SECRETS_KEY: NEW } });
  try {
    const token = await tokenOf(after);
    await tokenOf(after, registered);
    expect(await pageOf(after, token)).not.toBe('');
    const refused = await after.request('POST', '/events/search', { token, body: { ...SEARCH, cursor } });
    expect(refused.status).toBe(400);
  } finally {
    await after.stop();
  }
});
