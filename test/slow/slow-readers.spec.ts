import { once } from 'node:events';
import { type ClientRequest, type IncomingMessage, request as httpRequest } from 'node:http';
import { text } from 'node:stream/consumers';
import { sql } from '../../src/kernel/sql/sql.js';
import { type RunningApplication, startApplication } from '../support/application.js';
import { aRecord } from '../support/builders/a-record.js';
import { eventually } from '../support/eventually.js';
import { expectRefused } from '../support/expect-refused.js';
import { storeRecords } from '../support/store-records.js';

const RECORDS = 120;
/** Together more than the buffers of a connection hold. */
const RECORD_CHARACTERS = 200_000;
const FEW = 20;
const EVERYTHING = { query: { clauses: [{ createdAt: { type: 'range', gte: '2000-01-01', lte: '2100-01-01' } }] } };
const LARGE = { ...EVERYTHING, limit: 10_000 };
const NDJSON = { accept: 'application/x-ndjson' };

let service: RunningApplication;
const open: ClientRequest[] = [];

beforeAll(async () => {
  const env = { DATABASE_POOL_SIZE: '4', SEARCH_TIMEOUT_SECONDS: '10', EXPORT_MAX_SECONDS: '8' };
  service = await startApplication({ env });
  const attachment = { path: 'x'.repeat(RECORD_CHARACTERS), originalFilename: 'proof.png', type: 'image/png' };
  for (let stored = 0; stored < RECORDS; stored += FEW) {
    const records = Array.from({ length: FEW }, () => aRecord({ declaration: { 'child.proof': attachment } }));
    await storeRecords(service.database.database, records);
  }
}, 120_000);
afterEach(() => {
  for (const one of open.splice(0)) one.destroy();
});
afterAll(() => service.stop());

/** An answer of which nothing is read but what its client's buffers take. */
async function unread(client: string, body: object, headers: object = {}): Promise<IncomingMessage> {
  const asked = httpRequest(`${service.publicUrl}/events/search`, {
    method: 'POST',
    agent: false,
    headers: {
      authorization: `Bearer ${await service.issuer.token({ sub: client })}`,
      'content-type': 'application/json',
      ...headers,
    },
  });
  open.push(asked);
  asked.on('error', () => undefined);
  asked.end(JSON.stringify(body));
  const [response] = (await once(asked, 'response')) as [IncomingMessage];
  return response;
}

/** How many snapshots are kept for somebody who does not read. */
async function snapshots(): Promise<number> {
  const [row] = await service.database.database.query<{ kept: number }>(sql`
    select count(*)::int as kept from pg_stat_activity
    where datname = current_database() and state = 'idle in transaction'`);
  return row?.kept ?? 0;
}

describe('a client that does not read its large page', () => {
  it('keeps a snapshot for as long as a search may take, and no longer', async () => {
    const response = await unread('slow', LARGE);
    await eventually('its snapshot is kept', async () => (await snapshots()) === 1);
    await eventually('its snapshot is ended', async () => (await snapshots()) === 0);
    await expectRefused(service, 'slow-reader', 'slow');
    await expect(text(response)).rejects.toMatchObject({ code: 'ECONNRESET' });
  }, 120_000);

  it('leaves heavy searches of other clients their turn', async () => {
    void unread('slow', LARGE).catch(() => undefined);
    void unread('slow', LARGE).catch(() => undefined);
    void unread('slow', LARGE).catch(() => undefined);
    await eventually('two of its pages are read', async () => (await snapshots()) === 2);
    const answer = await unread('other', LARGE);
    expect(answer.statusCode).toBe(200);
    expect(JSON.parse(await text(answer))).toHaveProperty('total', RECORDS);
  }, 120_000);
});

describe('a stream', () => {
  it('ends after EXPORT_MAX_SECONDS, and is not taken for all of it', async () => {
    const response = await unread('exporter', EVERYTHING, NDJSON);
    await eventually('its snapshot is kept', async () => (await snapshots()) === 1);
    await eventually('its snapshot is ended', async () => (await snapshots()) === 0);
    await expectRefused(service, 'export-time', 'exporter');
    await expect(text(response)).rejects.toMatchObject({ code: 'ECONNRESET' });
  }, 120_000);
});
