import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { openDatabase } from '../../src/cli/open-database.js';
import { Secret } from '../../src/platform/config/secret.js';
import { prepareDatabase } from '../../src/platform/database/schema/prepare-database.js';
import { sql } from '../../src/kernel/sql/sql.js';
import { ADVISORY_LOCKS } from '../../src/platform/database/connection/advisory-locks.js';
import { ReindexSession } from '../../src/events/reindex/reindex-session.js';
import { type RunningApplication, startApplication } from '../support/application.js';
import { aRecord } from '../support/builders/a-record.js';
import { aSecretsKey, matricula, succeed } from '../support/command-line.js';
import { eventually } from '../support/eventually.js';
import { administer, createTestDatabase, nameOf, type TestDatabase } from '../support/postgres.js';

jest.setTimeout(120_000);

const mark = randomBytes(6).toString('hex');
const OWNER = `owner_${mark}`;
const SERVICE = `service_${mark}`;

let database: TestDatabase;
let env: Readonly<Record<string, string>>;
let service: RunningApplication;
let asService: pg.Client;

const urlOf = (role: string): string => {
  const url = new URL(database.url);
  url.username = role;
  url.password = mark;
  return url.href;
};

beforeAll(async () => {
  database = await createTestDatabase({ migrated: false });
  await administer(
    ...[OWNER, SERVICE].map((role) => `create role ${role} login password '${mark}'`),
    `alter database ${nameOf(database)} owner to ${OWNER}`,
  );
  env = {
    SECRETS_KEY: aSecretsKey(),
    DATABASE_URL: urlOf(SERVICE),
    DATABASE_MIGRATION_URL: urlOf(OWNER),
    AUDIT_RETENTION_MONTHS: '24',
  };
  await succeed(['migrate'], env);
  service = await startApplication({ database, env });
  asService = new pg.Client({ connectionString: urlOf(SERVICE) });
  await asService.connect();
});
afterAll(async () => {
  await asService.end();
  await service.stop();
  await database.drop();
  await administer(`drop role ${OWNER}`, `drop role ${SERVICE}`);
});

const count = async (): Promise<number> => {
  const { rows } = await asService.query<{ count: number }>('select count(*)::int as count from audit_log');
  return rows[0]?.count ?? 0;
};

/** As a process does that starts. */
const prepare = () =>
  prepareDatabase(urlOf(SERVICE), { DATABASE_MIGRATION_URL: new Secret(urlOf(OWNER)), AUDIT_RETENTION_MONTHS: 24 });

async function imported(records: number): Promise<unknown> {
  const { json } = await service.request('POST', '/events/bulk-import', {
    listener: 'internal',
    token: await service.issuer.token(),
    headers: { 'content-type': 'application/x-ndjson' },
    body: Array.from({ length: records }, () => JSON.stringify(aRecord())).join('\n'),
  });
  return json;
}

describe('a service whose role does not own the tables', () => {
  it('does all that it does otherwise: imports, searches, clients, keys, subscriptions, and rows of the audit log', async () => {
    expect(await imported(50)).toMatchObject({ imported: 50, rejected: 0 });
    const client = await service.registerClient('NATIONAL_ID');
    const query = { clauses: [{ data: { 'child.name': { type: 'fuzzy', term: 'Chilufya' } } }] };
    const found = await service.request('POST', '/events/search', { token: client.token, body: { query } });
    expect(found.json).toMatchObject({ total: 50 });
    await succeed(['keys', 'rotate'], env);
    expect((await service.request('GET', '/webhooks', { token: client.token })).status).toBe(200);
    expect((await service.request('GET', '/health/ready')).status).toBe(200);
    await eventually('five rows', async () => (await count()) === 5);
  });

  it.each([
    `update audit_log set client_id = 'x'`,
    'delete from audit_log',
    'truncate audit_log',
    'alter table audit_log disable trigger all',
    'drop table audit_log',
    'update audit_retention set months = 1',
    `insert into audit_count values ('audit_log_2020_01', 'x', 1)`,
    'delete from audit_counted_month',
    `do $$ begin execute 'delete from ' || (select min(inhrelid::regclass::text) from pg_inherits where inhparent = 'audit_log'::regclass); end $$`,
    'delete from migration',
    'drop table event',
    'create table mine (id int)',
  ])('may not: %s', async (statement) => {
    const before = await count();
    await expect(asService.query(statement)).rejects.toMatchObject({ code: '42501' });
    expect(await count()).toBe(before);
  });

  it('is told whom migrations and a reindex need, where it is to do them', async () => {
    const needed =
      'the role of DATABASE_URL may not do that. Migrations need the owner of the database, in DATABASE_MIGRATION_URL ' +
      'where that is another; without it, commands need MIGRATE_ON_START=false. `reindex` needs the owner ' +
      'of the tables in DATABASE_URL. What the service needs, `matricula migrate` grants it.\n';
    const reindex = await matricula(['reindex'], { ...env, MIGRATE_ON_START: 'false' });
    expect([reindex.code, reindex.stderr]).toEqual([1, `permission denied for schema public: ${needed}`]);
    const empty = await createTestDatabase({ migrated: false });
    const url = new URL(urlOf(SERVICE));
    url.pathname = `/${nameOf(empty)}`;
    const migrate = await matricula(['migrate'], { SECRETS_KEY: aSecretsKey(), DATABASE_URL: url.href });
    expect([migrate.code, migrate.stderr]).toEqual([1, `permission denied for schema public: ${needed}`]);
    const replay = await matricula(['confirmations', 'replay'], { ...env, DATABASE_MIGRATION_URL: '' });
    expect([replay.code, replay.stderr]).toEqual([1, `permission denied for table audit_retention: ${needed}`]);
    await empty.drop();
  });

  it('writes while its owner reindexes, and afterwards', async () => {
    const owner = await openDatabase(urlOf(OWNER), { DATABASE_POOL_SIZE: 1 });
    const session = await ReindexSession.open(owner.database);
    await session.query(sql`select pg_advisory_lock(${ADVISORY_LOCKS.listening}::bigint)`);
    expect(await imported(2)).toMatchObject({ imported: 2, rejected: 0 });
    expect(await session.query(sql`select from reindex_changed`)).toHaveLength(2);
    session.close();
    await owner.close();
    await succeed(['reindex'], { ...env, DATABASE_URL: urlOf(OWNER), MIGRATE_ON_START: 'false' });
    expect(await imported(3)).toMatchObject({ imported: 3, rejected: 0 });
    const query = { clauses: [{ data: { 'child.name': { type: 'fuzzy', term: 'Chilufya' } } }] };
    const token = await service.issuer.token();
    const found = await service.request('POST', '/events/search', { token, body: { query } });
    expect(found.json).toMatchObject({ total: 55 });
  });

  it('is prepared by as many processes at once as are started', async () => {
    const prepared = Array.from({ length: 4 }, prepare);
    expect(await Promise.all(prepared)).toEqual([[], [], [], []]);
  });

  it('is prepared while another process looks after the partitions of the audit log', async () => {
    await asService.query('begin; select audit_upkeep()');
    expect(await prepare()).toEqual([]);
    await asService.query('rollback');
  });

  it('has partitions made for it, and the months dropped that its owner has done with', async () => {
    await database.dataSource.query(
      `create table audit_log_2020_01 partition of audit_log for values from ('2020-01-01T00:00Z') to ('2020-02-01T00:00Z');
       alter table audit_log_2020_01 owner to ${OWNER}`,
    );
    await asService.query('select audit_count_months()');
    await asService.query('select audit_upkeep()');
    const { rows } = await asService.query<{ months: number; old: string | null }>(
      `select months, to_regclass('audit_log_2020_01')::text as old from audit_retention`,
    );
    expect(rows).toEqual([{ months: 24, old: null }]);
  });
});
