import { randomUUID } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { EventRecord } from '../../src/kernel/domain/event-record.js';
import { sql } from '../../src/kernel/sql/sql.js';
import { type RunningApplication, startApplication } from '../support/application.js';
import { askingIntegrations, INSTANT, UUID } from '../support/asking-integrations.js';
import { aRecord } from '../support/builders/a-record.js';
import { aSecretsKey, matricula, succeed } from '../support/command-line.js';
import { eventually } from '../support/eventually.js';
import { storeRecords } from '../support/store-records.js';

// Commands are processes of their own, and the machine may have other work: this bounds a hang.
jest.setTimeout(120_000);

interface Entry {
  readonly clientId: string;
  readonly operation: string;
  readonly requestData: unknown;
  readonly responseSummary: unknown;
}

const RECORDS = 700;
const BIRTHS = { query: { clauses: [{ eventType: 'birth' }] } };
const NDJSON = { accept: 'application/x-ndjson' };
const JSON_TYPE = { 'content-type': 'application/json' };

let service: RunningApplication;
let administrator: string;
let env: Readonly<Record<string, string>>;
let client: Awaited<ReturnType<RunningApplication['registerClient']>>;

beforeAll(async () => {
  const SECRETS_KEY = aSecretsKey();
  service = await startApplication({ env: { SECRETS_KEY } });
  administrator = await service.issuer.token({ sub: 'cleo' });
  env = { SECRETS_KEY, DATABASE_URL: service.database.url };
  await storeRecords(
    service.database.database,
    Array.from({ length: RECORDS }, (_, at) => aRecord({ type: at % 7 === 0 ? 'death' : 'birth' })),
  );
  client = await service.registerClient('RECORD_SEARCH');
});
afterAll(() => service.stop());

const audit = async (...options: readonly string[]): Promise<Entry[]> => {
  const lines = (await succeed(['audit', ...options], env)).split('\n').slice(0, -1);
  return lines.map((line) => JSON.parse(line) as Entry);
};

/** The rows of searches that `work` leaves, once there are as many as expected; then none comes any more. */
async function searchesOf(expected: number, work: () => Promise<unknown>): Promise<Entry[]> {
  const count = async (): Promise<number> => {
    const [row] = await service.database.database.query<{ count: number }>(
      sql`select count(*)::int as count from audit_log where operation = 'event.search'`,
    );
    return row?.count ?? 0;
  };
  const before = await count();
  await work();
  await eventually(`${expected} rows`, async () => (await count()) >= before + expected);
  const rows = await audit('--client', client.clientId);
  expect(await count()).toBe(before + expected);
  return rows.filter(({ operation }) => operation === 'event.search').slice(-expected);
}

const search = async (body: object, headers = {}, path = '/events/search') =>
  service.request('POST', path, { token: client.token, body, headers });

const BIRTH_COUNT = RECORDS - RECORDS / 7;
const idsOf = (results: unknown): string[] => (results as EventRecord[]).map(({ id }) => id);

describe('a system client’s search', () => {
  it('is written down: the query, the total and the ids of the page', async () => {
    const body = { ...BIRTHS, limit: 3, offset: 5 };
    let answer: { results: EventRecord[] } | undefined;
    const [row] = await searchesOf(1, async () => {
      answer = (await search(body)).json as { results: EventRecord[] };
    });
    const eventIds = idsOf(answer?.results);
    expect(eventIds).toHaveLength(3);
    expect(row).toMatchObject({ clientId: client.clientId, requestData: body });
    expect(row?.responseSummary).toEqual({ total: BIRTH_COUNT, eventIds });
  });

  it('is written down on each page that a cursor leads to, and where nothing matches', async () => {
    const rows = await searchesOf(3, async () => {
      const first = await search({ ...BIRTHS, limit: 2 });
      const next = /<([^>]+)>/.exec(String(first.headers['link']))?.[1] ?? '';
      const { pathname, search: query } = new URL(next, service.publicUrl);
      expect((await search({ ...BIRTHS, limit: 2 }, {}, `${pathname}${query}`)).status).toBe(200);
      expect((await search({ query: { clauses: [{ trackingId: { type: 'exact', term: 'NOBODY' } }] } })).status).toBe(
        200,
      );
    });
    expect(rows[1]?.requestData).toEqual({ ...BIRTHS, limit: 2, cursor: expect.any(String) as string });
    expect(rows[2]?.responseSummary).toEqual({ total: 0, eventIds: [] });
  });

  it.each([
    ['a large page', { limit: 600 }, {}],
    ['an NDJSON stream', {}, NDJSON],
  ])('is written down with its total before the first of %s is sent', async (_, more, headers) => {
    let sent: string[] = [];
    const [row] = await searchesOf(1, async () => {
      const answer = await search({ ...BIRTHS, ...more }, headers);
      sent =
        headers === NDJSON
          ? idsOf(
              answer.body
                .split('\n')
                .slice(0, -1)
                .map((line) => JSON.parse(line) as EventRecord),
            )
          : idsOf((answer.json as { results: unknown }).results);
    });
    expect(sent).toHaveLength(BIRTH_COUNT);
    expect(row?.responseSummary).toEqual({ total: BIRTH_COUNT, eventIds: sent.slice(0, 100) });
  });

  it('is written down as a stream without a match', async () => {
    const nothing = { query: { clauses: [{ trackingId: { type: 'exact', term: 'NOBODY' } }] } };
    const [row] = await searchesOf(1, () => search(nothing, NDJSON));
    expect(row).toMatchObject({ requestData: nothing, responseSummary: { total: 0, eventIds: [] } });
  });

  it('leaves no row when it is refused, and none of an administrator’s does', async () => {
    const token = await service.issuer.token();
    await searchesOf(1, async () => {
      expect((await search({ query: { clauses: [{ nonsense: 1 }] } })).status).toBe(400);
      expect((await service.request('POST', '/events/search', { token, body: BIRTHS })).status).toBe(200);
      expect((await service.request('POST', '/events/search', { token, body: BIRTHS, headers: NDJSON })).status).toBe(
        200,
      );
      expect((await search(BIRTHS)).status).toBe(200);
    });
  });

  it('is written before a process ends that is told to end', async () => {
    const ending = await startApplication({ database: service.database, env: { ...env } });
    await searchesOf(1, async () => {
      const answer = await ending.request('POST', '/events/search', { token: client.token, body: BIRTHS });
      expect(answer.status).toBe(200);
      await ending.stop();
    });
  });
});

describe('what administrators and clients do', () => {
  it('is written down: tokens, registration, changes of status once each, keys; and no secret', async () => {
    const token = await service.issuer.token({ sub: 'anna' });
    const body = { client_id: client.clientId };
    const act = (path: string) => service.request('POST', path, { listener: 'internal', token, body });
    for (const path of ['/deactivateSystemClient', '/deactivateSystemClient', '/reactivateSystemClient']) {
      expect((await act(path)).status).toBe(200);
    }
    await succeed(['keys', 'rotate'], env);
    await succeed(['token', '--role', 'system-admin', '--subject', 'bea'], env);

    expect(await audit('--actor', 'anna')).toMatchObject([
      { operation: 'integrations.deactivate', requestData: { id: client.clientId } },
      { operation: 'integrations.activate', responseSummary: { id: client.clientId, status: 'active' } },
    ]);
    expect(await audit('--actor', 'cli')).toMatchObject([
      { operation: 'keys.rotate', responseSummary: { kid: expect.any(String) as string } },
      { operation: 'auth.token', requestData: { role: 'system-admin', subject: 'bea', ttlSeconds: 600 } },
    ]);
    const [created] = await audit('--actor', 'admin');
    expect(created).toMatchObject({
      operation: 'integrations.create',
      requestData: { name: 'RECORD_SEARCH', scopes: ['recordsearch'] },
      responseSummary: { clientId: client.clientId },
    });
    const [issued] = await audit('--client', client.clientId);
    expect(issued).toMatchObject({ operation: 'auth.token', requestData: { scopes: ['recordsearch'] } });
    const whole = JSON.stringify(await audit());
    for (const secret of [client.clientSecret, client.shaSecret, client.token]) expect(whole).not.toContain(secret);
  });

  it('is exported by time', async () => {
    const since = new Date().toISOString();
    expect(await audit('--since', since)).toEqual([]);
    expect((await audit('--until', since)).length).toBeGreaterThan(5);
    const { code, stderr } = await matricula(['audit', '--since', 'yesterday'], env);
    expect([code, stderr]).toEqual([2, expect.stringContaining('a date-time in UTC')]);
  });
});

describe('the pages of what an integration did (I-3)', () => {
  const { ask, create, accessToken, holderOf } = askingIntegrations(() => ({ service, administrator }));

  it('are read by auditors, the newest first, one by one and by time; what was done to it is not there', async () => {
    const made = await create();
    const before = new Date(Date.now() - 1).toISOString();
    const token = await accessToken(made);
    const search = { query: { type: 'and', clauses: [{ eventType: 'nothing' }] } };
    await ask('POST', '/events/search', search, token);
    await ask('POST', `/integrations/${made.clientId}/refresh-secret`);
    const auditor = await holderOf('integration.audit.read');
    const read = async (query: string) => {
      const { status, json } = await ask('GET', `/integrations/${made.clientId}/audit${query}`, undefined, auditor);
      return { status, ...(json as { results: { operation: string }[]; total: number }) };
    };
    await eventually('both rows are written', async () => (await read('')).total === 2);
    const entry = { id: UUID, clientId: made.clientId, clientType: 'system', createdAt: INSTANT };
    const searched = { operation: 'event.search', requestData: search, responseSummary: { total: 0, eventIds: [] } };
    expect(await read('')).toEqual({
      status: 200,
      results: [
        { ...entry, ...searched },
        {
          ...entry,
          operation: 'auth.token',
          requestData: { scopes: ['recordsearch'] },
          responseSummary: { jti: expect.any(String) as string, expiresAt: INSTANT },
        },
      ],
      total: 2,
    });
    expect(await read('?skip=1&count=1')).toMatchObject({ results: [{ operation: 'auth.token' }], total: 2 });
    expect(await read('?skip=2')).toMatchObject({ results: [], total: 2 });
    expect(await read(`?timeEnd=${before}`)).toMatchObject({ results: [], total: 0 });
    expect(await read(`?timeStart=${before.replace('Z', '%2B00:00')}`)).toMatchObject({ total: 2 });
  });

  it('are not for a system client, nor without the scope, nor of an unknown, deleted or human actor', async () => {
    const made = await create(['integration.audit.read']);
    const path = `/integrations/${made.clientId}/audit`;
    const token = await accessToken(made);
    // Whatever else is wrong with the request (G-2).
    for (const asked of [path, `${path}?count=0`, '/integrations/x/audit', '/events/integrations.audit?input=%7B%7D']) {
      expect([asked, (await ask('GET', asked, undefined, token)).status]).toEqual([asked, 403]);
    }
    expect((await ask('GET', path, undefined, await holderOf('integration.create'))).status).toBe(403);
    expect((await service.request('GET', path)).status).toBe(401);
    await ask('DELETE', `/integrations/${made.clientId}`);
    for (const id of [made.clientId, randomUUID()]) {
      expect(await ask('GET', `/integrations/${id}/audit`)).toMatchObject({
        status: 404,
        json: { message: `System client not found with ID: ${id}` },
      });
    }
    expect((await ask('GET', '/integrations/anna/audit')).status).toBe(400);
  });

  it.each(['skip=-1', 'count=0', 'count=101', 'timeStart=2026-01-02', 'timeEnd=yesterday', 'page=2'])(
    'are not read with ?%s',
    async (query) => {
      expect((await ask('GET', `/integrations/${randomUUID()}/audit?${query}`)).status).toBe(400);
    },
  );
});

describe('acts of administrators upon all records', () => {
  it('leave a row each, by the name of who did it or of the command line', async () => {
    const [sub, name] = ['imke', 'bulk.ndjson'];
    const token = await service.issuer.token({ sub });
    const body = `${JSON.stringify(aRecord())}\n`;
    const headers = { 'content-type': 'application/x-ndjson' };
    const bulk = { listener: 'internal', token, body, headers } as const;
    expect((await service.request('POST', '/events/bulk-import', bulk)).status).toBe(200);
    // Refused before anything is done: it leaves none.
    expect((await service.request('POST', '/events/bulk-import', { ...bulk, headers: JSON_TYPE })).status).toBe(415);
    const directory = await mkdtemp(join(tmpdir(), 'matricula-audit-'));
    try {
      const file = join(directory, name);
      await writeFile(file, body);
      await succeed(['import', 'records', file, '--publish'], env);
    } finally {
      await rm(directory, { recursive: true });
    }
    await succeed(['reindex'], env);
    const cli = { clientId: 'cli', clientType: 'user' };
    const importing = { operation: 'records.import', responseSummary: null };
    const ofBoth = [...(await audit('--actor', sub)), ...(await audit('--actor', 'cli'))];
    expect(ofBoth.filter(({ operation }) => ['records.import', 'event.reindex'].includes(operation))).toEqual([
      {
        ...importing,
        ...cli,
        clientId: sub,
        id: UUID,
        createdAt: INSTANT,
        requestData: { publish: false },
      },
      { ...importing, ...cli, id: UUID, createdAt: INSTANT, requestData: { publish: true } },
      {
        ...{ ...cli, id: UUID, createdAt: INSTANT, operation: 'event.reindex', requestData: {} },
        responseSummary: { id: UUID },
      },
    ]);
  });
});
