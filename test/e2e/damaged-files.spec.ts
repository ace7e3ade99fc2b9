import { randomUUID } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { sql } from '../../src/kernel/sql/sql.js';
import { aNotification, eventCaller, startEventService } from '../support/event-service.js';
import { aPng, field, file, MULTIPART, multipart, pathOf } from '../support/multipart.js';
import { RawConnection } from '../support/raw-connection.js';

let directory: string;
let running: Awaited<ReturnType<typeof startEventService>>;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'matricula-files-'));
  running = await startEventService({ DATA_DIR: directory });
});
afterAll(async () => {
  await running.stop();
  await rm(directory, { recursive: true });
});

/** The address of a file of 100 kB that an event names, and where the store has it. */
async function aFile(): Promise<{ readonly url: URL; readonly kept: string }> {
  const { service } = running;
  const { token } = await service.registerClient('HEALTH');
  const body = multipart([field('transactionId', randomUUID()), file(aPng(100_000))]);
  const path = pathOf(
    await service.request('POST', '/attachments', { token, headers: { 'content-type': MULTIPART }, body }),
  );
  const declaration = { 'documents.proof': { path, originalFilename: 'proof.png', type: 'image/png' } };
  const notification = aNotification({ eventType: 'birth', declaration });
  const { event } = await eventCaller(service, token).post('/notify', notification);
  const reader = await service.issuer.token({ sub: randomUUID(), scope: ['record.read'] });
  const address = `/events/${event.id}/files/${path.split('/').at(-1) ?? ''}/url`;
  const { json } = await service.request('GET', address, { token: reader });
  const [row] = await service.database.database.query<{ id: string }>(sql`select id from upload where path = ${path}`);
  const id = row?.id ?? '';
  return {
    url: new URL((json as { presignedURL: string }).presignedURL),
    kept: join(directory, 'files', id.slice(0, 2), id),
  };
}

describe('a file that the disk has with another length than was uploaded', () => {
  it.each([
    ['shorter', -1],
    ['longer', 30],
  ])('is not served whole when it is %s, and its connection is closed', async (_, by) => {
    const { url, kept } = await aFile();
    const whole = await readFile(kept);
    await writeFile(kept, Buffer.concat([whole, Buffer.alloc(30)]).subarray(0, whole.length + by));
    const connection = await RawConnection.to(running.service.publicUrl);
    const request = [`GET ${url.pathname}${url.search} HTTP/1.1`, `Host: ${url.host}`];
    connection.send(...request, '', '');
    const [head = '', content = ''] = (await connection.closed()).split('\r\n\r\n');
    expect(head).toContain(`content-length: ${whole.length}`);
    expect(content.length).toBeLessThan(whole.length);
  });
});
