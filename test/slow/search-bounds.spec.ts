import { once } from 'node:events';
import { type ClientRequest, type IncomingMessage, request as httpRequest } from 'node:http';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from '../../src/kernel/sql/sql.js';
import { type RunningApplication, startApplication } from '../support/application.js';
import { aRecord } from '../support/builders/a-record.js';
import { eventually } from '../support/eventually.js';
import { expectRefused } from '../support/expect-refused.js';
import { storeRecords } from '../support/store-records.js';

/** A busy machine takes less for all that a test does before it reads a large page. */
const SEARCH_SECONDS = 15;
const RECORDS = 600;
/** Together more than the buffers of a connection hold, so that an answer that nobody reads is not sent whole. */
const RECORD_CHARACTERS = 30_000;
const EVERYTHING = { clauses: [{ createdAt: { type: 'range', gte: '2000-01-01', lte: '2100-01-01' } }] };
const LARGE = { query: EVERYTHING, limit: 10_000 };
const LIGHT = { query: EVERYTHING, limit: 1 };
const NDJSON = { accept: 'application/x-ndjson' };

let service: RunningApplication;
let token: string;

beforeAll(async () => {
  service = await startApplication({
    env: { SEARCH_TIMEOUT_SECONDS: String(SEARCH_SECONDS), SEARCH_HEAVY_AT_ONCE: '1', SEARCH_QUEUE_LENGTH: '1' },
  });
  token = await service.issuer.token();
  const attachment = { path: 'x'.repeat(RECORD_CHARACTERS), originalFilename: 'proof.png', type: 'image/png' };
  for (let stored = 0; stored < RECORDS; stored += 200) {
    const records = Array.from({ length: 200 }, () => aRecord({ declaration: { 'child.proof': attachment } }));
    await storeRecords(service.database.database, records);
  }
});
afterAll(() => service.stop());

const search = (body: object, as = token) => service.request('POST', '/events/search', { token: as, body });

/** A search whose answer is read when the test does so. */
function begin(body: object, { as = token, headers = {} }: { as?: string; headers?: object } = {}): ClientRequest {
  const asked = httpRequest(`${service.publicUrl}/events/search`, {
    method: 'POST',
    agent: false,
    headers: { authorization: `Bearer ${as}`, 'content-type': 'application/json', ...headers },
  });
  asked.on('error', () => undefined);
  asked.end(JSON.stringify(body));
  return asked;
}

const answerOf = async (asked: ClientRequest): Promise<IncomingMessage> => {
  const [response] = (await once(asked, 'response')) as [IncomingMessage];
  return response;
};

/** The connections of the service that have something to do, or are kept in a transaction. */
async function busy(): Promise<readonly string[]> {
  const rows = await service.database.database.query<{ state: string }>(sql`
    select state || coalesce(' ' || case when wait_event_type = 'Lock' then 'waits' end, '') as state
    from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid() and state <> 'idle'
      and backend_type = 'client backend' and query not like '%exclusive mode'`);
  return rows.map(({ state }) => state);
}

const untilBusy = (states: readonly string[]) =>
  eventually(`connections are ${states.join(', ') || 'idle'}`, async () => (await busy()).join() === states.join());

/** Lets no search read a record while `work` is done. */
const whileRecordsAreLocked = (work: () => Promise<void>): Promise<void> =>
  service.database.database.transaction(async (transaction) => {
    await transaction.query(sql`lock table event_document in access exclusive mode`);
    await work();
  });

const COME_BACK = { message: expect.any(String) as string, code: 'SERVICE_UNAVAILABLE' };

describe('a search that takes too long', () => {
  const KINDS: readonly (readonly [string, object, Readonly<Record<string, string>>])[] = [
    ['page', LIGHT, {}],
    ['large page', LARGE, {}],
    ['stream', { query: EVERYTHING }, NDJSON],
  ];
  const answered = new Map<string, Awaited<ReturnType<typeof search>>>();
  // They wait out their time together: none of them stands in another's way.
  beforeAll(() =>
    whileRecordsAreLocked(async () => {
      const asked = KINDS.map(async ([kind, body, headers]) => {
        answered.set(kind, await service.request('POST', '/events/search', { token, body, headers }));
      });
      await Promise.all(asked);
      await untilBusy([]);
    }),
  );

  it.each(KINDS.map(([kind]) => kind))('is answered 503, and Postgres works on it no more: a %s', (kind) => {
    const answer = answered.get(kind);
    const told = answer?.headers;
    expect({
      status: answer?.status,
      retry: told?.['retry-after'],
      type: told?.['content-type'],
      link: told?.link,
      json: answer?.json,
    }).toEqual({
      status: 503,
      retry: '10',
      type: 'application/json; charset=utf-8',
      link: undefined,
      json: {
        message: `The search was not done within ${SEARCH_SECONDS} s, and was given up; a narrower one may be answered`,
        code: 'SERVICE_UNAVAILABLE',
      },
    });
  });

  it('is counted, and its client named', () => expectRefused(service, 'search-timeout', 'admin'));

  it('leaves the next one nothing to wait for', async () => {
    expect((await search(LIGHT)).status).toBe(200);
  });
});

describe('a client that hangs up', () => {
  it.each([
    ['page', LIGHT, {}],
    ['large page', LARGE, {}],
    ['stream', { query: EVERYTHING }, NDJSON],
  ])('ends its search in Postgres: a %s', async (_, body, headers) => {
    await whileRecordsAreLocked(async () => {
      const asked = begin(body, { headers });
      await untilBusy(['active waits']);
      asked.destroy();
      await untilBusy([]);
    });
    expect((await search(LIGHT)).status).toBe(200);
  });

  it.each([
    ['large page', LARGE, {}],
    ['stream', { query: EVERYTHING }, NDJSON],
  ])('ends its snapshot while it is sent a %s', async (_, body, headers) => {
    const asked = begin(body, { headers });
    await answerOf(asked);
    await untilBusy(['idle in transaction']);
    asked.destroy();
    await untilBusy([]);
  });

  it('is noted as such, and not as a fault', async () => {
    const asked = begin(LARGE);
    await answerOf(asked);
    const before = service.log.length;
    asked.destroy();
    await eventually('it is logged', () => service.log.slice(before).some(({ status }) => status === 499));
    expect(service.log.slice(before).filter(({ level }) => level === 'error' || level === 50)).toEqual([]);
  });

  it('leaves the queue', async () => {
    const first = begin(LARGE);
    await answerOf(first);
    const second = begin(LARGE);
    await eventually('the second search waits', async () => (await search(LARGE)).status === 503);
    second.destroy();
    first.destroy();
    await untilBusy([]);
    expect((await search(LARGE)).status).toBe(200);
  });
});

describe('searches over many records', () => {
  it('wait for their turn, and light ones do not wait for them', async () => {
    const first = begin(LARGE);
    const firstAnswer = await answerOf(first);
    const second = begin(LARGE);
    let answered = false;
    const secondAnswer = answerOf(second).finally(() => {
      answered = true;
    });
    const { status, headers, json } = await eventuallyRefused();
    expect({ status, retry: headers['retry-after'], json }).toEqual({ status: 503, retry: '5', json: COME_BACK });
    expect((await search(LIGHT)).status).toBe(200);
    expect(answered).toBe(false);
    await expectRefused(service, 'queue-full', 'admin');
    expect(JSON.parse(await text(firstAnswer))).toHaveProperty('total', RECORDS);
    expect(JSON.parse(await text(await secondAnswer))).toHaveProperty('total', RECORDS);
  });

  it('keep their place when another client comes and there is no room', async () => {
    const first = begin(LARGE);
    const firstAnswer = await answerOf(first);
    const waiting = begin(LARGE);
    const waitingAnswer = answerOf(waiting);
    await eventuallyRefused();
    const other = await service.issuer.token({ sub: 'other' });
    expect((await search(LARGE, other)).status).toBe(503);
    await text(firstAnswer);
    expect((await waitingAnswer).statusCode).toBe(200);
    waiting.destroy();
    await untilBusy([]);
  });

  it('wait no longer than a search may take', async () => {
    let first: ClientRequest | undefined;
    let second: ReturnType<typeof search> | undefined;
    await whileRecordsAreLocked(async () => {
      first = begin(LARGE);
      void answerOf(first).catch(() => undefined);
      await untilBusy(['active waits']);
      second = search(LARGE);
      // The first one has its time again to be sent.
      await sleep(3_000);
    });
    expect((await second)?.status).toBe(503);
    first?.destroy();
    await untilBusy([]);
  });

  it('do not hold up streams, nor streams them', async () => {
    const first = begin(LARGE);
    await answerOf(first);
    const stream = begin({ query: EVERYTHING }, { headers: NDJSON });
    const lines = (await text(await answerOf(stream))).trimEnd().split('\n');
    expect(lines).toHaveLength(RECORDS);
    first.destroy();
    await untilBusy([]);
  });

  /** Once a second one waits, a third has no place. */
  async function eventuallyRefused() {
    let refused = await search({ query: EVERYTHING, limit: 0 });
    await eventually('there is no more room', async () => {
      refused = await search(LARGE);
      return refused.status === 503;
    });
    return refused;
  }
});

describe('an answer that fails on its way', () => {
  it.each([
    ['large page', LARGE, {}],
    ['stream', { query: EVERYTHING }, NDJSON],
  ])('breaks off: a %s', async (_, body, headers) => {
    const asked = begin(body, { headers });
    const response = await answerOf(asked);
    expect(response.statusCode).toBe(200);
    // Between two parts of the answer, whether the next one is waited for or not; what the service does beside it goes
    // on.
    await eventually('the snapshot is ended', async () => {
      const ended = await service.database.database.query(sql`
        select pg_terminate_backend(pid) from pg_stat_activity
        where datname = current_database() and state = 'idle in transaction'
          and (query like '%from exported' or query like '%as wanted (id, position)%')`);
      return ended.length > 0;
    });
    await expect(text(response)).rejects.toMatchObject({ code: 'ECONNRESET' });
    expect((await search(LIGHT)).status).toBe(200);
  });
});
