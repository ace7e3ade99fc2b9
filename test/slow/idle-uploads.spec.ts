import type { ClientRequest, IncomingMessage } from 'node:http';
import { request as httpRequest } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';

import type { RunningApplication } from '../support/application.js';
import { startApplication } from '../support/application.js';
import { aRecord } from '../support/builders/a-record.js';
import { eventually } from '../support/eventually.js';
import { expectRefused } from '../support/expect-refused.js';

const EVERYTHING = { query: { clauses: [{ eventType: 'birth' }] } };

let service: RunningApplication;
const open: ClientRequest[] = [];

beforeAll(async () => {
  service = await startApplication({ env: { DATABASE_POOL_SIZE: '4' } });
});
afterEach(() => {
  for (const one of open.splice(0)) one.destroy();
});
afterAll(() => service.stop());

/** An import that has sent a line and sends no more; yields what it is answered meanwhile. */
async function idleUpload(client: string): Promise<{ answered: number | undefined }> {
  const upload = httpRequest(`${service.internalUrl}/events/bulk-import`, {
    method: 'POST',
    agent: false,
    headers: {
      authorization: `Bearer ${await service.issuer.token({ sub: client })}`,
      'content-type': 'application/x-ndjson',
    },
  });
  const state: { answered: number | undefined } = { answered: undefined };
  upload.on('error', () => undefined);
  upload.on('response', (response: IncomingMessage) => {
    state.answered = response.statusCode;
    response.resume();
  });
  upload.write(`${JSON.stringify(aRecord())}\n`);
  open.push(upload);
  return state;
}

const imported = async (client: string): Promise<number> => {
  const { status } = await service.request('POST', '/events/bulk-import', {
    listener: 'internal',
    token: await service.issuer.token({ sub: client }),
    body: `${JSON.stringify(aRecord())}\n`,
    headers: { 'content-type': 'application/x-ndjson' },
  });
  return status;
};

const refusedOf = (uploads: readonly { readonly answered: number | undefined }[]) =>
  uploads.map(({ answered }) => answered).filter((status) => status !== undefined);

/** Ten, for which there are seven places. All have arrived once the last three were refused. */
async function manyIdleUploads() {
  const uploads = await Promise.all(Array.from({ length: 10 }, () => idleUpload('idle')));
  await eventually('three are refused', () => refusedOf(uploads).length === 3);
  return uploads;
}

/** Less than an idle upload has until it is cut off. */
const SOON_MS = 50_000;
/** The answer, when it comes before an idle upload is cut off. */
const soon = <T>(answer: Promise<T>): Promise<T | 'not soon'> =>
  Promise.race([answer, sleep(SOON_MS, 'not soon' as const, { ref: false })]);

describe('uploads that send nothing more', () => {
  it('keep nobody from searching, importing or learning that the process is ready', async () => {
    const idle = await manyIdleUploads();
    const token = await service.issuer.token({ sub: 'other' });
    expect(await soon(service.request('POST', '/events/search', { token, body: EVERYTHING }))).toMatchObject({
      status: 200,
    });
    expect(await soon(service.request('GET', '/health/ready'))).toMatchObject({ status: 200 });
    expect(await soon(imported('other'))).toBe(200);
    expect(await soon(imported('idle'))).toBe(503);
    expect(refusedOf(idle)).toEqual([503, 503, 503]);
    await expectRefused(service, 'imports-full', 'idle');
  });

  it('give their place back when they end', async () => {
    await manyIdleUploads();
    for (const one of open.splice(0)) one.destroy();
    // Which the service notices a moment later, but before it would have cut them off.
    await eventually('there is a place', async () => (await imported('idle')) === 200, SOON_MS);
  });

  it('give way to an import of another client that finds no place', async () => {
    await manyIdleUploads();
    await idleUpload('idle too');
    await eventually('one gives way', async () => (await imported('other')) === 200, SOON_MS);
    await expectRefused(service, 'upload-gave-way', 'idle');
  });
});
