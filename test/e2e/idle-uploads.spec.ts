import type { ClientRequest, IncomingMessage } from 'node:http';
import { request as httpRequest } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';

import type { RunningApplication } from '../support/application.js';
import { startApplication } from '../support/application.js';
import { aRecord } from '../support/builders/a-record.js';

const EVERYTHING = { query: { clauses: [{ eventType: 'birth' }] } };

let service: RunningApplication;
const open: ClientRequest[] = [];

beforeAll(async () => {
  service = await startApplication({ env: { DATABASE_POOL_SIZE: '4' } });
}, 120_000);
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

/** The answer, when it comes before an idle upload is cut off. */
const soon = <T>(answer: Promise<T>): Promise<T | 'not soon'> =>
  Promise.race([answer, sleep(20_000, 'not soon' as const, { ref: false })]);

describe('uploads that send nothing more', () => {
  it('keep nobody from searching, importing or learning that the process is ready', async () => {
    const idle = await Promise.all(Array.from({ length: 10 }, () => idleUpload('idle')));
    // Each is there once it was refused, or that long afterwards.
    await sleep(1_000);
    const token = await service.issuer.token({ sub: 'other' });
    expect(await soon(service.request('POST', '/events/search', { token, body: EVERYTHING }))).toMatchObject({
      status: 200,
    });
    expect(await soon(service.request('GET', '/health/ready'))).toMatchObject({ status: 200 });
    expect(await soon(imported('other'))).toBe(200);
    expect(await soon(imported('idle'))).toBe(503);
    expect(idle.map(({ answered }) => answered).filter((status) => status !== undefined)).toEqual([503, 503, 503]);
  }, 120_000);

  it('give their place back when they end', async () => {
    await idleUpload('idle');
    for (const one of open.splice(0)) one.destroy();
    expect(await soon(imported('idle'))).toBe(200);
  }, 120_000);
});
