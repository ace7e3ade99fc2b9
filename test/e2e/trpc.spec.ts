import { randomUUID } from 'node:crypto';
import { createTRPCUntypedClient, httpBatchLink, httpLink, TRPCClientError } from '@trpc/client';
import superjson from 'superjson';
import type { EventRecord } from '../../src/kernel/domain/event-record.js';
import { sql } from '../../src/kernel/sql/sql.js';
import { type RunningApplication, startApplication } from '../support/application.js';
import { aRecord } from '../support/builders/a-record.js';
import { eventually } from '../support/eventually.js';
import { storeRecords } from '../support/store-records.js';

const RECORDS = 700;

let service: RunningApplication;
let administrator: string;
let reader: string;
beforeAll(async () => {
  service = await startApplication();
  administrator = await service.issuer.token({ sub: 'anna' });
  reader = (await service.registerClient('RECORD_SEARCH')).token;
  await storeRecords(
    service.database.database,
    Array.from({ length: RECORDS }, () => aRecord()),
  );
});
afterAll(() => service.stop());

type Link = typeof httpLink;
/** The client that upstream's own programs use, without their types. */
const clientOf = (link: Link | typeof httpBatchLink, token: string, options: object = {}) =>
  createTRPCUntypedClient({
    links: [
      link({
        url: `${service.publicUrl}/events`,
        transformer: superjson,
        headers: { authorization: `Bearer ${token}` },
        ...options,
      }),
    ],
  });
const failureOf = (call: Promise<unknown>): Promise<unknown> =>
  call.catch((error: unknown) =>
    error instanceof TRPCClientError ? { message: error.message, ...(error.data as object) } : error,
  );

const BIRTHS = { query: { type: 'and', clauses: [{ eventType: 'birth' }] } };
const UUID = expect.stringMatching(/^[0-9a-f-]{36}$/) as string;

describe.each([
  ['single', httpLink],
  ['batched', httpBatchLink],
] as const)('%s calls of a stock client', (_, link) => {
  it('create, list, show, change and delete an integration', async () => {
    const client = clientOf(link, administrator);
    const made = (await client.mutation('integrations.create', { name: 'NID', scopes: ['type=record.search'] })) as {
      clientId: string;
      shaSecret: string;
    };
    expect(made).toEqual({ clientId: UUID, shaSecret: UUID, clientSecret: UUID });
    const id = made.clientId;
    const [listed, shown] = await Promise.all([
      client.query('integrations.list', { status: undefined }),
      client.query('integrations.get', { id }),
    ]);
    expect(shown).toMatchObject({ id, status: 'active', shaSecret: made.shaSecret });
    expect(listed).toContainEqual(expect.objectContaining({ id, name: 'NID' }));
    expect(await client.mutation('integrations.deactivate', { id })).toEqual({ id, name: 'NID', status: 'disabled' });
    expect(await client.mutation('integrations.activate', { id })).toEqual({ id, name: 'NID', status: 'active' });
    expect(await client.mutation('integrations.refreshSecret', { id })).toEqual({ clientId: id, clientSecret: UUID });
    expect(await client.query('integrations.audit', { id, count: 5 })).toEqual({ results: [], total: 0 });
    expect(await client.mutation('integrations.delete', { id })).toEqual({ id, name: 'NID' });
    expect(await failureOf(client.query('integrations.get', { id }))).toEqual({
      ...{ message: `System client not found with ID: ${id}`, code: 'NOT_FOUND', httpStatus: 404 },
      path: 'integrations.get',
    });
  });

  it('search as the route does, also by POST, with a page that is sent in parts', async () => {
    const asked = { ...BIRTHS, limit: 2 };
    const byRoute = await service.request('POST', '/events/search', { token: reader, body: asked });
    expect(await clientOf(link, reader).query('event.search', asked)).toEqual(byRoute.json);
    const byPost = clientOf(link, reader, { methodOverride: 'POST' });
    const large = (await byPost.query('event.search', { ...BIRTHS, limit: 600 })) as { results: EventRecord[] };
    expect(large.results).toHaveLength(600);
  });

  it('fail with the code, the faults and the path of the call', async () => {
    expect(await failureOf(clientOf(link, administrator).query('event.search', { limit: 'x' }))).toMatchObject({
      ...{ message: 'Input validation failed', code: 'BAD_REQUEST', httpStatus: 400, path: 'event.search' },
      issues: expect.arrayContaining([{ message: expect.stringContaining('query') as string }]) as unknown,
    });
    expect(await failureOf(clientOf(link, reader).query('integrations.list'))).toMatchObject({ code: 'FORBIDDEN' });
    expect(await failureOf(clientOf(link, 'x').query('integrations.list'))).toMatchObject({ code: 'UNAUTHORIZED' });
    const byClient = clientOf(
      link,
      await service.issuer.token({ scope: ['integration.audit.read'], userType: 'system' }),
    );
    expect(await failureOf(byClient.query('integrations.audit', { id: randomUUID() }))).toMatchObject({
      httpStatus: expect.any(Number) as number,
    });
  });
});

describe('what the routes answer', () => {
  it('is answered to event.get, lists of places and addresses of files', async () => {
    const client = clientOf(httpBatchLink, reader);
    const { results } = (await client.query('event.search', { ...BIRTHS, limit: 1 })) as { results: EventRecord[] };
    const eventId = results[0]?.id ?? '';
    const read = (await client.query('event.get', { eventId })) as { id: string; type: string };
    expect([read.id, read.type]).toEqual([eventId, 'birth']);
    const unknown = randomUUID();
    expect(await failureOf(client.query('event.get', { eventId: unknown }))).toMatchObject({
      ...{ code: 'NOT_FOUND', message: `Event not found with ID: ${unknown}` },
    });
    for (const [name, path] of [
      ['locations.list', '/locations'],
      ['administrativeAreas.list', '/administrative-areas'],
    ] as const) {
      const { json } = await service.request('GET', path, { token: reader });
      expect(await client.query(name)).toEqual(json);
      expect(await failureOf(client.query(name, { isActive: 'x' }))).toMatchObject({ code: 'BAD_REQUEST' });
    }
    const filePath = `events/${eventId}/no-such.jpg`;
    expect(await failureOf(client.query('event.file.getPresignedUrl', { filePath }))).toMatchObject({
      code: 'NOT_FOUND',
    });
    expect(await failureOf(client.query('event.file.getPresignedUrl', {}))).toMatchObject({ code: 'BAD_REQUEST' });
  });
});

describe('a batch', () => {
  it('answers each call for itself', async () => {
    const input = encodeURIComponent(
      JSON.stringify({ 0: { json: { ...BIRTHS, limit: 0 } }, 1: { json: { id: 'x' } } }),
    );
    const path = `/api/events/event.search,integrations.get,no.such?batch=1&input=${input}`;
    const { status, json } = await service.request('GET', path, { token: reader });
    expect([status, json]).toEqual([
      207,
      [
        { result: { data: { json: { results: [], total: RECORDS } } } },
        { error: { json: expect.objectContaining({ code: -32003 }) as unknown } },
        { error: { json: expect.objectContaining({ message: 'No procedure found on path "no.such"' }) as unknown } },
      ],
    ]);
  });

  it('is bounded: in its calls, and in the pages that they ask for', async () => {
    const names = Array.from({ length: 21 }, () => 'event.search').join(',');
    expect((await service.request('GET', `/events/${names}?batch=1`, { token: reader })).status).toBe(400);
    const body = { 0: { json: { ...BIRTHS, limit: 600 } }, 1: { json: { ...BIRTHS, limit: 1 } } };
    const { status, json } = await service.request('POST', '/events/event.search,event.search?batch=1', {
      token: reader,
      body,
    });
    expect([status, json]).toMatchObject([
      207,
      [
        {
          error: {
            json: {
              data: { issues: [{ message: 'limit: must be lower in a batch: an answer this long is sent in parts' }] },
            },
          },
        },
        { result: {} },
      ],
    ]);
  });
});

describe('what is refused before a procedure is called', () => {
  it.each([
    ['GET', '/events/integrations.create', undefined, 405],
    ['GET', '/events/event.search?input=%7B', undefined, 400],
    ['GET', '/events/event.search?input=1&input=2', undefined, 400],
    ['POST', '/events/event.search', '{', 400],
    ['POST', '/events/event.search', { limit: 1 }, 400],
    ['POST', '/events/event.search', 'x'.repeat(1_048_577), 413],
    ['GET', '/trpc/no.such', undefined, 404],
  ] as const)('%s %s of %j is answered in the envelope', async (method, path, body, expected) => {
    const { status, json } = await service.request(method, path, { token: administrator, body });
    expect([status, json]).toMatchObject([expected, { error: { json: { data: { httpStatus: expected } } } }]);
  });

  it.each(['%00', 'event.search%0a', '%zz', '%', '%ff', '%ED%A0%80', '%2e', 'a%2fb', 'x%7f', '', 'a/b'])(
    'is an address that cannot be read, and is told so as everywhere: /trpc/%s',
    async (name) => {
      for (const caller of [{ token: administrator }, {}]) {
        const { status, json } = await service.request('GET', `/trpc/${name}`, caller);
        expect([status, json]).toEqual([404, { message: 'Not found', code: 'NOT_FOUND' }]);
      }
    },
  );

  it('has both forms in the document', async () => {
    const { json } = await service.request('GET', '/openapi.json');
    const { paths } = json as { paths: Record<string, Record<string, { responses: Record<string, object> }>> };
    const { responses = {} } = paths['/trpc/{procedures}']?.['get'] ?? {};
    const holding = Object.keys(responses).filter((status) =>
      JSON.stringify(responses[status]).includes('ErrorObject'),
    );
    expect(holding).toEqual(['400', '404']);
  });

  it('is each procedure, for a caller without its permission', async () => {
    const nobody = await service.issuer.token({ scope: ['webhook'] });
    const integrations = ['create', 'list', 'get', 'activate', 'deactivate', 'refreshSecret', 'delete', 'audit'];
    const ofIntegrations = integrations.map((each) => `integrations.${each}`);
    for (const name of ['event.search', 'event.file.getPresignedUrl', 'user.get', ...ofIntegrations]) {
      const { status } = await service.request('POST', `/events/${name}`, { token: nobody, body: { json: {} } });
      expect([name, status]).toEqual([name, 403]);
      expect((await service.request('POST', `/events/${name}`)).status).toBe(401);
    }
    // A wrong method comes first (G-2).
    expect((await service.request('GET', '/events/integrations.create', { token: nobody })).status).toBe(405);
  });
});

describe('GET /config', () => {
  it('tells every caller the types of event, under each address', async () => {
    for (const path of ['/config', '/events/config', '/api/events/config']) {
      const { status, json } = await service.request('GET', path, { token: reader });
      expect([status, (json as { id: string; fields: unknown }[]).map(({ id, fields }) => [id, fields])]).toEqual([
        200,
        [
          ['birth', null],
          ['death', null],
          ['marriage', null],
        ],
      ]);
    }
    expect((await service.request('GET', '/config')).status).toBe(401);
  });
});

describe('a reindex', () => {
  const reindexer = () => service.issuer.token({ sub: 'clara', scope: ['record.reindex'] });
  const runs = async (query = '') => {
    const { json } = await service.request('GET', `/events/reindex${query}`, { token: await reindexer() });
    return json as { id: string; status: string; progress: { processed: number }; error_message?: string }[];
  };
  const start = async (body?: unknown) =>
    service.request('POST', '/events/reindex', { token: await reindexer(), body });
  /** A read of what it replaces lasts while `work` is done. */
  const whileNoneEnds = <T>(work: () => Promise<T>): Promise<T> =>
    service.database.database.transaction(async (transaction) => {
      await transaction.query(sql`lock table event_search in access share mode`);
      return work();
    });

  it('is started, one at a time, and is listed until it has ended', async () => {
    const run = { id: UUID, timestamp: expect.any(String) as string };
    await whileNoneEnds(async () => {
      const { status, json } = await start({ waitForCompletion: false });
      expect([status, json]).toEqual([200, { ...run, status: 'running', progress: { processed: 0 } }]);
      const refused = await start();
      expect([refused.status, refused.json]).toEqual([
        409,
        { code: 'CONFLICT', message: 'Another reindex is running.' },
      ]);
    });
    await eventually('it has ended', async () => (await runs())[0]?.status !== 'running');
    const completed = { status: 'completed', completed_at: expect.any(String) as string };
    expect(await runs('?limit=1')).toEqual([{ ...run, ...completed, progress: { processed: RECORDS } }]);
    const audited = await service.database.database.query<{ operation: string }>(
      sql`select operation from audit_log where client_id = 'clara'`,
    );
    expect(audited).toEqual([{ operation: 'event.reindex' }]);
  });

  it('that is waited for, and whose process is cut off, has failed', async () => {
    const locker = sql`
      select pg_terminate_backend(pid) as ended from pg_locks
       where locktype = 'advisory' and classid = 0 and objid = 7265003 and objsubid = 1
         and database = (select oid from pg_database where datname = current_database())`;
    const { status, json } = await whileNoneEnds(async () => {
      const waited = start();
      await eventually('it is cut off', async () => (await service.database.database.query(locker)).length > 0);
      return waited;
    });
    expect([status, json]).toMatchObject([200, { status: 'failed', error_message: expect.any(String) as string }]);
    expect(await runs('?limit=1')).toEqual([json]);
  });

  it('is for callers with record.reindex, who ask for it as it is', async () => {
    expect((await service.request('POST', '/events/reindex', { token: reader })).status).toBe(403);
    expect((await service.request('GET', '/events/reindex', { token: reader })).status).toBe(403);
    expect((await service.request('POST', '/events/reindex')).status).toBe(401);
    for (const body of [{ waitForCompletion: 'yes' }, { wait: true }, []]) expect((await start(body)).status).toBe(400);
    const token = await reindexer();
    for (const query of ['limit=0', 'limit=101', 'offset=1']) {
      expect((await service.request('GET', `/events/reindex?${query}`, { token })).status).toBe(400);
    }
  });
});
