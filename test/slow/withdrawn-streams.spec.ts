import { once } from 'node:events';
import { type ClientRequest, type IncomingMessage, request as httpRequest } from 'node:http';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { importLocations } from '../../src/auth/locations/import-locations.js';
import { sql } from '../../src/kernel/sql/sql.js';
import { type RunningApplication, startApplication } from '../support/application.js';
import { COUNTRY, OFFICE } from '../support/areas.js';
import { aRecord } from '../support/builders/a-record.js';
import { aSecretsKey } from '../support/command-line.js';
import { expectRefused } from '../support/expect-refused.js';
import { eventually } from '../support/eventually.js';
import { storeRecords } from '../support/store-records.js';
import { createTestDatabase, type TestDatabase } from '../support/postgres.js';

/** Together more than the buffers of a connection hold. */
const RECORDS = 60;
const RECORD_CHARACTERS = 200_000;
const EVERYTHING = { query: { clauses: [{ createdAt: { type: 'range', gte: '2000-01-01', lte: '2100-01-01' } }] } };

const ROLES = [
  { id: 'READER', label: 'Reader', scopes: ['record.search'] },
  { id: 'CLERK', label: 'Clerk', scopes: ['type=record.search&event=death'] },
];

let directory: string;
let database: TestDatabase;
let service: RunningApplication;
/** Another process on the same database. */
let other: RunningApplication;
const open: ClientRequest[] = [];
beforeAll(async () => {
  database = await createTestDatabase();
  await importLocations(database.database, COUNTRY);
  directory = await mkdtemp(join(tmpdir(), 'matricula-streams-'));
  const ROLES_FILE = join(directory, 'roles.json');
  await writeFile(ROLES_FILE, JSON.stringify(ROLES));
  const env = { SECRETS_KEY: aSecretsKey(), SEARCH_TIMEOUT_SECONDS: '300', ROLES_FILE };
  service = await startApplication({ database, env });
  other = await startApplication({ database, env });
  const attachment = { path: 'x'.repeat(RECORD_CHARACTERS), originalFilename: 'proof.png', type: 'image/png' };
  for (let stored = 0; stored < RECORDS; stored += 20) {
    const records = Array.from({ length: 20 }, () => aRecord({ declaration: { 'child.proof': attachment } }));
    await storeRecords(database.database, records);
  }
});
afterEach(() => {
  for (const one of open.splice(0)) one.destroy();
});
afterAll(async () => {
  await service.stop();
  await other.stop();
  await database.drop();
  await rm(directory, { recursive: true });
});

/** A stream of which nothing is read but what its client's buffers take. */
async function streamed(token: string): Promise<IncomingMessage> {
  const asked = httpRequest(`${service.publicUrl}/events/search`, {
    ...{ method: 'POST', agent: false },
    headers: {
      ...{ authorization: `Bearer ${token}`, 'content-type': 'application/json', accept: 'application/x-ndjson' },
    },
  });
  open.push(asked);
  asked.on('error', () => undefined);
  asked.end(JSON.stringify(EVERYTHING));
  const [response] = (await once(asked, 'response')) as [IncomingMessage];
  expect(response.statusCode).toBe(200);
  return response;
}

/** How many snapshots are kept for streams. */
async function snapshots(): Promise<number> {
  const [row] = await database.database.query<{ kept: number }>(sql`
    select count(*)::int as kept from pg_stat_activity
    where datname = current_database() and state = 'idle in transaction'`);
  return row?.kept ?? 0;
}

const asked = (path: string, body: object, token?: string, method = 'POST') =>
  other.request(method, path, { listener: 'internal', body, token: token ?? '' });

/** Who streams, and what takes that from him, through the other process. */
interface Case {
  readonly subject: string;
  readonly token: string;
  readonly withdraw: () => Promise<number>;
}

async function aDeactivatedClient(): Promise<Case> {
  const { clientId, token } = await service.registerClient('RECORD_SEARCH');
  const administrator = await service.issuer.token();
  return {
    subject: clientId,
    token,
    withdraw: async () => (await asked('/deactivateSystemClient', { client_id: clientId }, administrator)).status,
  };
}

async function aRevokedToken(): Promise<Case> {
  const { clientId: client_id, clientSecret: client_secret, token } = await service.registerClient('RECORD_SEARCH');
  return {
    subject: client_id,
    token,
    withdraw: async () => {
      const body = { token, client_id, client_secret };
      return (await other.request('POST', '/auth/revoke', { body })).status;
    },
  };
}

let users = 0;
async function aUserWith(change: readonly [path: string, body: object, method: string]): Promise<Case> {
  const administrator = await service.issuer.token();
  const { status, json } = await service.request('POST', '/users', {
    ...{ listener: 'internal', token: administrator },
    body: {
      username: `clerk.${(users += 1)}`,
      ...{ name: { firstname: 'Ana', surname: 'Zulu' }, role: 'READER', primaryOfficeId: OFFICE },
      ...{ email: `clerk${users}@example.org`, password: 'a correct horse' },
    },
  });
  expect([status, json]).toMatchObject([201, { role: 'READER' }]);
  const { id } = json as { readonly id: string };
  const token = await service.issuer.token({ sub: id, userType: 'user', role: 'READER', scope: [] });
  const [path, body, method] = change;
  return {
    subject: id,
    token,
    withdraw: async () => (await asked(`/users/${id}${path}`, body, administrator, method)).status,
  };
}

describe('a stream that has begun', () => {
  it.each([
    ['its client is deactivated', aDeactivatedClient],
    ['its token is revoked', aRevokedToken],
    ['its user is deactivated', () => aUserWith(['/deactivate', {}, 'POST'])],
    ['the role of its user is taken away', () => aUserWith(['', { role: 'CLERK' }, 'PATCH'])],
  ])('ends when %s, and others go on', async (_, made) => {
    const { subject, token, withdraw } = await made();
    const stays = await service.registerClient('RECORD_SEARCH');
    const response = await streamed(token);
    const going = await streamed(stays.token);
    await eventually('two snapshots are kept', async () => (await snapshots()) === 2);
    expect(await withdraw()).toBe(200);
    await eventually('one snapshot is ended', async () => (await snapshots()) === 1);
    await expectRefused(service, 'withdrawn', subject);
    await expect(text(response)).rejects.toMatchObject({ code: 'ECONNRESET' });
    expect((await text(going)).trimEnd().split('\n')).toHaveLength(RECORDS);
  });
});
