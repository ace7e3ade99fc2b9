import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import type { EventRecord } from '../../src/kernel/domain/event-record.js';
import { type RunningApplication, startApplication } from '../support/application.js';
import { aRecord } from '../support/builders/a-record.js';
import { anInstant } from '../support/builders/an-instant.js';
import { aSecretsKey, succeed } from '../support/command-line.js';
import { storeRecords } from '../support/store-records.js';

interface Page {
  readonly results: readonly EventRecord[];
  readonly total: number;
}

const RECORDS = 1_200;
const EVERYTHING = { clauses: [{ createdAt: { type: 'range', gte: '2000-01-01', lte: '2100-01-01' } }] };
const DEATHS = { clauses: [{ eventType: 'death' }] };
const NDJSON = { accept: 'application/x-ndjson' };

let service: RunningApplication;
let env: Readonly<Record<string, string>>;
let token: string;

beforeAll(async () => {
  const SECRETS_KEY = aSecretsKey();
  service = await startApplication({ env: { SECRETS_KEY } });
  env = { SECRETS_KEY, DATABASE_URL: service.database.url };
  token = await service.issuer.token();
  // Three share each instant, so that pages end among records that only the id tells apart.
  const records = Array.from({ length: RECORDS }, (_, at) =>
    aRecord({
      type: at % 4 === 0 ? 'death' : 'birth',
      updatedAt: anInstant(new Date(Date.UTC(2026, 0, 1) + Math.floor(at / 3) * 1_000).toISOString()),
      assignedTo: at % 5 === 0 ? null : `user ${at % 7}`,
    }),
  );
  for (let from = 0; from < RECORDS; from += 400) {
    await storeRecords(service.database.database, records.slice(from, from + 400));
  }
});
afterAll(() => service.stop());

interface Asked {
  readonly path?: string;
  readonly as?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

const ask = (body: object, { path = '/events/search', as = token, headers = {} }: Asked = {}) =>
  service.request('POST', path, { token: as, body, headers });

async function page(body: object, asked: Asked = {}): Promise<Page & { readonly next: string | undefined }> {
  const { status, json, headers } = await ask(body, asked);
  expect(status).toBe(200);
  const link = /^<([^>]+)>; rel="next"$/.exec(String(headers['link'] ?? ''));
  expect(link === null).toBe(headers['link'] === undefined);
  return { ...(json as Page), next: link?.[1] };
}

const idsOf = (records: readonly EventRecord[]): readonly string[] => records.map(({ id }) => id);
const cursorOf = (next: string | undefined): string =>
  new URL(next ?? '', service.publicUrl).searchParams.get('cursor') ?? '';

async function issuesOf(body: object, asked: Asked = {}): Promise<readonly string[]> {
  const { status, json } = await ask(body, asked);
  expect(status).toBe(400);
  return (json as { issues: { message: string }[] }).issues.map(({ message }) => message);
}

it.each([
  ['/events/search?limit=1', ['limit: is not taken in the URL, which may have `cursor`']],
  [
    '/events/search?cursr=x&cursor=x&__proto__=1',
    ['cursr: ', '__proto__: '].map((path) => `${path}is not taken in the URL, which may have \`cursor\``),
  ],
  ['/events/search/counts?cursor=x', ['cursor: is not taken in the URL']],
  ['/events/search/explain?limit=1', ['limit: is not taken in the URL']],
])('a parameter that %s has by mistake is refused', async (path, issues) => {
  const token = await service.issuer.token({ sub: 'admin', scope: ['sysadmin', 'record.search'] });
  const { status, json } = await service.request('POST', path, { token, listener: 'internal', body: {} });
  expect([status, (json as { issues: object[] }).issues]).toEqual([400, issues.map((message) => ({ message }))]);
});

describe('the Link header', () => {
  it.each([
    ['the order of a search without one', []],
    ['missing values', [{ field: 'assignedTo', direction: 'desc' }]],
    ['a declaration field', [{ field: 'declaration.child.dob' }, { field: 'updatedAt' }]],
  ])('leads through all pages, in %s, to what one page holds', async (_, sort) => {
    const whole = await page({ query: DEATHS, sort, limit: 1_000 });
    const walked: string[] = [];
    for (let next: string | undefined = '/events/search'; next !== undefined;) {
      const one = await page({ query: DEATHS, sort, limit: 45 }, { path: next });
      expect(one.total).toBe(RECORDS / 4);
      walked.push(...idsOf(one.results));
      next = one.next;
    }
    expect(walked).toEqual(idsOf(whole.results));
    expect(walked).toHaveLength(RECORDS / 4);
  });

  it('names the address that was asked', async () => {
    const { next } = await page({ query: DEATHS, limit: 1 }, { path: '/api/events/events/search' });
    expect(next).toMatch(/^\/api\/events\/events\/search\?cursor=[\w-]+$/);
  });

  it('is there exactly while there is more', async () => {
    const quarter = RECORDS / 4;
    expect((await page({ query: DEATHS, limit: quarter })).next).toBeUndefined();
    expect((await page({ query: DEATHS, limit: quarter - 1 })).next).toBeDefined();
    expect((await page({ query: DEATHS, limit: 10, offset: quarter - 10 })).next).toBeUndefined();
    expect((await page({ query: DEATHS, limit: 10, offset: quarter - 11 })).next).toBeDefined();
    expect((await page({ query: DEATHS, limit: 0 })).next).toBeUndefined();
    expect((await page({ query: DEATHS, limit: 10, offset: quarter + 1 })).next).toBeUndefined();
  });
});

describe('a cursor', () => {
  it('goes on from a page that was reached by offset, in the body as in the URL', async () => {
    const whole = idsOf((await page({ query: EVERYTHING, limit: 100 })).results);
    const { next } = await page({ query: EVERYTHING, limit: 10, offset: 20 });
    const cursor = cursorOf(next);
    for (const asked of [{ path: `/events/search?cursor=${cursor}` }, { path: '/events/search' }]) {
      const body = { query: EVERYTHING, limit: 10, ...(asked.path.includes('?') ? {} : { cursor }) };
      expect(idsOf((await page(body, asked)).results)).toEqual(whole.slice(30, 40));
    }
    const both = await page(
      { query: EVERYTHING, limit: 5, offset: 0, cursor },
      { path: `/events/search?cursor=${cursor}` },
    );
    expect(idsOf(both.results)).toEqual(whole.slice(30, 35));
  });

  it('is none when it is null', async () => {
    const { results } = await page({ query: EVERYTHING, limit: 3, cursor: null });
    expect(idsOf(results)).toEqual(idsOf((await page({ query: EVERYTHING, limit: 3 })).results));
  });

  it('is refused when it is not ours, or for another walk', async () => {
    const cursor = cursorOf((await page({ query: DEATHS, limit: 1 })).next);
    const ours = ['cursor: must be one that an answer of this service gave, unchanged'];
    expect(await issuesOf({ query: DEATHS, cursor: 'eyJpZCI6MX0' })).toEqual(ours);
    expect(await issuesOf({ query: DEATHS, cursor: `${cursor}A` })).toEqual(ours);
    expect(await issuesOf({ query: DEATHS }, { path: '/events/search?cursor=' })).toEqual(ours);
    const another = ['cursor: belongs to another query, sort or client'];
    expect(await issuesOf({ query: EVERYTHING, cursor })).toEqual(another);
    expect(await issuesOf({ query: DEATHS, sort: [{ field: 'id' }], cursor })).toEqual(another);
    expect(await issuesOf({ query: DEATHS, cursor }, { as: await service.issuer.token({ sub: 'other' }) })).toEqual(
      another,
    );
    expect(await issuesOf({ query: DEATHS, cursor, offset: 7 })).toEqual([
      'offset: must be 0 or absent beside a cursor, which takes its place',
    ]);
    expect(await issuesOf({ query: DEATHS, cursor }, { path: '/events/search?cursor=x' })).toEqual([
      'cursor: must be the one that stands in the URL',
    ]);
    expect(await issuesOf({ query: DEATHS }, { path: `/events/search?cursor=${cursor}&cursor=${cursor}` })).toEqual([
      'cursor: is given more than once in the URL',
    ]);
  });

  it('outlives the process', async () => {
    const cursor = cursorOf((await page({ query: DEATHS, limit: 3 })).next);
    const other = await startApplication({
      env: { ...env, JWT_PRIVATE_KEY: service.issuer.pem },
      database: service.database,
    });
    try {
      const answer = await other.request('POST', '/events/search', {
        token,
        body: { query: DEATHS, limit: 3, cursor },
      });
      expect(answer.json).toEqual((await ask({ query: DEATHS, limit: 3, cursor })).json);
      expect(answer.status).toBe(200);
    } finally {
      await other.stop();
    }
  });
});

describe('a large page', () => {
  it('is what smaller ones are together', async () => {
    const large = await page({ query: EVERYTHING, limit: 10_000 });
    expect({ total: large.total, next: large.next }).toEqual({ total: RECORDS, next: undefined });
    const first = await page({ query: EVERYTHING, limit: 700 });
    const second = await page({ query: EVERYTHING, limit: 700, cursor: cursorOf(first.next) });
    expect([...first.results, ...second.results]).toEqual(large.results);
    expect([first.total, second.total, second.next]).toEqual([RECORDS, RECORDS, undefined]);
    const small = await page({ query: EVERYTHING, limit: 500, offset: 100 });
    expect(small.results).toEqual(large.results.slice(100, 600));
  });

  it('may be empty', async () => {
    const query = { clauses: [{ eventType: 'marriage' }] };
    expect(await page({ query, limit: 5_000 })).toEqual({ results: [], total: 0, next: undefined });
    expect(await page({ query: DEATHS, limit: 5_000, offset: 9_999 })).toMatchObject({
      results: [],
      total: RECORDS / 4,
    });
  });

  it('is what the caller may see', async () => {
    const scoped = await service.issuer.token({ scope: ['type=record.search&event=death'], sub: 'scoped' });
    expect((await page({ query: EVERYTHING, limit: 5_000 }, { as: scoped })).total).toBe(RECORDS / 4);
  });
});

describe('a page with a very large record', () => {
  it('is sent in parts where as many as large would be too much to hold', async () => {
    const [large, other] = [
      { createdAt: anInstant('1990-01-01T00:00:00Z'), declaration: { 'child.note': '漢'.repeat(70_000) } },
      { createdAt: anInstant('1990-01-01T00:00:00Z'), updatedAt: anInstant('1990-01-02T00:00:00Z') },
    ].map((one) => aRecord({ type: 'adoption', ...one }));
    await storeRecords(
      service.database.database,
      [large, other].flatMap((one) => one ?? []),
    );
    for (const [limit, offset, isHeld] of [
      [10, 0, true],
      [100, 0, false],
      [100, 1, true],
    ] as const) {
      const { json, headers } = await ask({ query: { clauses: [{ eventType: 'adoption' }] }, limit, offset });
      expect(json).toEqual({ results: [large, other].slice(offset), total: 2 });
      expect([limit, offset, headers['content-length'] !== undefined]).toEqual([limit, offset, isHeld]);
    }
  });
});

describe('Accept: application/x-ndjson', () => {
  const lines = (body: string): readonly EventRecord[] =>
    body
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as EventRecord);

  async function stream(body: object, as = token): Promise<readonly EventRecord[]> {
    const answer = await ask(body, { headers: NDJSON, as });
    expect([answer.status, answer.headers['content-type']]).toEqual([200, 'application/x-ndjson']);
    expect(answer.body === '' || answer.body.endsWith('}\n')).toBe(true);
    return lines(answer.body);
  }

  it('yields every match, a record a line, in the order of writing', async () => {
    const streamed = await stream({ query: EVERYTHING });
    const whole = await page({ query: EVERYTHING, limit: 5_000 });
    expect(streamed).toHaveLength(RECORDS);
    expect([...idsOf(streamed)].sort()).toEqual([...idsOf(whole.results)].sort());
    expect(await stream({ query: { clauses: [{ eventType: 'marriage' }] } })).toEqual([]);
  });

  it('is in the order of `sort`, and as long as `limit` says', async () => {
    const sort = [{ field: 'assignedTo', direction: 'desc' }, { field: 'updatedAt' }];
    const { results } = await page({ query: DEATHS, sort, limit: 10_000 });
    expect(await stream({ query: DEATHS, sort })).toEqual(results);
    expect(await stream({ query: DEATHS, sort, limit: 7 })).toEqual(results.slice(0, 7));
    expect(await stream({ query: DEATHS, limit: 20_000 })).toHaveLength(RECORDS / 4);
  });

  it('is what the caller may see', async () => {
    const scoped = await service.issuer.token({ scope: ['type=record.search&event=death'], sub: 'scoped' });
    expect((await stream({ query: EVERYTHING }, scoped)).every(({ type }) => type === 'death')).toBe(true);
  });

  it('refuses what makes no sense in a stream, in JSON', async () => {
    expect(await issuesOf({ query: DEATHS, offset: 1, cursor: 'x' }, { headers: NDJSON })).toEqual([
      'offset: must be 0 or absent: a stream begins with the first match',
      'cursor: must be null or absent: a stream has no pages',
    ]);
    expect(await issuesOf({ query: DEATHS }, { headers: NDJSON, path: '/events/search?cursor=x' })).toEqual([
      'cursor: must be null or absent: a stream has no pages',
    ]);
  });

  it('is JSON for who accepts that as well, or something else', async () => {
    for (const accept of ['application/json, application/x-ndjson', 'text/html', '*/*']) {
      const { headers } = await ask({ query: DEATHS, limit: 1 }, { headers: { accept } });
      expect(headers['content-type']).toBe('application/json; charset=utf-8');
    }
  });

  it('is what the command line exports', async () => {
    const directory = mkdtempSync(join(tmpdir(), 'matricula-export-'));
    try {
      const file = join(directory, 'query.json');
      const body = { query: DEATHS, sort: [{ field: 'id' }], limit: 50 };
      await writeFile(file, JSON.stringify(body));
      expect(lines(await succeed(['export', 'records', '--query', file], env))).toEqual(await stream(body));
    } finally {
      rmSync(directory, { recursive: true });
    }
  });
});
