import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { sql } from '../../src/kernel/sql/sql.js';
import type { RunningApplication } from '../support/application.js';
import { aRecord } from '../support/builders/a-record.js';
import { aNotification, type EventCaller, eventCaller, startEventService } from '../support/event-service.js';
import { eventually } from '../support/eventually.js';
import {
  aPdf,
  aPng,
  beginUpload,
  type BegunUpload,
  field,
  file,
  filesIn,
  MULTIPART,
  multipart,
  type Part,
  pathOf,
} from '../support/multipart.js';
import { storeRecords } from '../support/store-records.js';

const LIMIT = 10_485_760;
const RECORD = aRecord({ type: 'birth' });
const DEATH = aRecord({ type: 'death' });

let directory: string;
let running: Awaited<ReturnType<typeof startEventService>>;
let service: RunningApplication;
let hospital: string;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'matricula-files-'));
  running = await startEventService({ DATA_DIR: directory });
  ({ service } = running);
  await storeRecords(service.database.database, [RECORD, DEATH]);
  hospital = (await service.registerClient('HEALTH')).token;
}, 120_000);
afterAll(async () => {
  await running.stop();
  await rm(directory, { recursive: true });
});

const aCaller = (...scope: readonly string[]): Promise<string> => service.issuer.token({ sub: randomUUID(), scope });
const upload = (token: string | undefined, ...parts: readonly Part[]) =>
  service.request('POST', '/attachments', {
    ...(token !== undefined && { token }),
    headers: { 'content-type': MULTIPART },
    body: multipart(parts),
  });

const filesKept = (): Promise<number> => filesIn(directory);
const rows = async (): Promise<number> => {
  const [row] = await service.database.database.query<{ count: number }>(
    sql`select count(*)::int as count from upload`,
  );
  return row?.count ?? 0;
};

describe('an attachment', () => {
  it('is stored for a record, under a path that ends as its content says', async () => {
    const tx = randomUUID();
    const scan = file(aPdf(), 'C:\\scans\\..\\birth.jpg');
    const form = [scan, field('transactionId', tx), field('eventId', RECORD.id)];
    const path = `events/${RECORD.id}/${tx}.pdf`;
    const answer = await upload(hospital, ...form);
    expect([answer.status, answer.json]).toEqual([200, { result: { data: { json: path } } }]);
    const asText = { token: hospital, headers: { 'content-type': MULTIPART }, body: multipart(form) };
    const { status, headers, body } = await service.request('POST', '/upload', asText);
    expect([status, headers['content-type'], body]).toEqual([200, 'text/plain; charset=utf-8', path]);
  });

  it('is stored without a record, where no other client meets it', async () => {
    const [one, other] = [hospital, await aCaller('type=attachment.upload')];
    const parts = [field('transactionId', 'scan-1'), file(aPng())];
    const paths = [pathOf(await upload(one, ...parts)), pathOf(await upload(other, ...parts))];
    expect(paths).toEqual([
      expect.stringMatching(/^uploads\/[0-9a-f-]{36}\/scan-1\.png$/),
      expect.stringMatching(/^uploads\/[0-9a-f-]{36}\/scan-1\.png$/),
    ]);
    expect(paths[0]).not.toBe(paths[1]);
  });

  it('has the same path when it is sent again, also at once, and leaves one file and one row of the audit log', async () => {
    const tx = randomUUID();
    const before = [await filesKept(), await rows()];
    const parts = [field('transactionId', tx), field('path', `events/${RECORD.id}`), file(aPng(200_000))];
    const answers = await Promise.all(Array.from({ length: 4 }, () => upload(hospital, ...parts)));
    expect(answers.map((answer) => [answer.status, pathOf(answer)])).toEqual(
      answers.map(() => [200, `events/${RECORD.id}/${tx}.png`]),
    );
    expect([await filesKept(), await rows()]).toEqual(before.map((count) => count + 1));
    const logged = await service.database.database.query(sql`
      select request_data as request, response_summary as response from audit_log
       where operation = 'attachments.upload' and request_data ->> 'transactionId' = ${tx}`);
    expect(logged).toEqual([
      {
        request: { transactionId: tx, path: `events/${RECORD.id}` },
        response: { fileUrl: `events/${RECORD.id}/${tx}.png` },
      },
    ]);
  });

  it('is refused when its transaction had another file, or was for another record', async () => {
    const tx = field('transactionId', randomUUID());
    expect((await upload(hospital, tx, file(aPng()))).status).toBe(200);
    const others = [
      [tx, file(aPng(101))],
      [tx, file(aPdf())],
      [tx, file(aPng()), field('eventId', RECORD.id)],
    ];
    for (const parts of others) {
      const { status, json } = await upload(hospital, ...parts);
      expect([status, json]).toEqual([409, { message: 'transactionId was used for another file', code: 'CONFLICT' }]);
    }
  });
});

describe('an upload that is refused', () => {
  let before: readonly number[];
  beforeEach(async () => {
    before = [await filesKept(), await rows()];
  });
  afterEach(async () => {
    await eventually('nothing is left of it', async () => isDeepStrictEqual([await filesKept(), await rows()], before));
  });
  const TX = field('transactionId', 'tx');

  it('has no token, or none that permits it', async () => {
    expect((await upload(undefined, TX, file(aPng()))).status).toBe(401);
    expect((await upload(await aCaller('type=record.notify'), TX, file(aPng()))).status).toBe(403);
  });

  it.each([
    ['text under the name of an image', Buffer.from('name,surname\n'), 'scan.png'],
    ['a page that is a PDF too', Buffer.concat([Buffer.from('<script>alert(1)</script>'), aPdf()]), 'scan.pdf'],
    ['an archive', Buffer.from('PK\u0003\u0004 and so on'), 'scan.jpg'],
  ])('is %s', async (_, content, fileName) => {
    const { status, json } = await upload(hospital, TX, file(content, fileName));
    expect([status, json]).toEqual([
      415,
      {
        message: 'Media type is not supported',
        code: 'UNSUPPORTED_MEDIA_TYPE',
        issues: [{ message: 'file: must be one of JPG, PNG, WEBP, PDF by its content, whatever its name says' }],
      },
    ]);
  });

  it('is no form', async () => {
    const { status } = await service.request('POST', '/attachments', {
      token: hospital,
      body: { transactionId: 'tx' },
    });
    expect(status).toBe(415);
    const bare = await service.request('POST', '/attachments', { token: hospital });
    expect([bare.status, bare.json]).toMatchObject([400, { issues: [{ message: 'body: is required' }] }]);
  });

  it('has a byte too many, which a whole limit has not', async () => {
    const tooLarge = await upload(hospital, TX, file(aPng(LIMIT + 1)));
    expect([tooLarge.status, tooLarge.json]).toMatchObject([
      413,
      { issues: [{ message: `file: must have at most ${LIMIT} bytes` }] },
    ]);
    const announced = await upload(hospital, TX, file(aPng(LIMIT + 100_000)));
    expect(announced.status).toBe(413);
    const whole = await upload(hospital, field('transactionId', 'whole'), file(aPng(LIMIT)));
    expect(whole.status).toBe(200);
    before = before.map((count) => count + 1);
  });

  it('has no file, or two', async () => {
    expect(await upload(hospital, TX)).toMatchObject({
      status: 400,
      json: { issues: [{ message: 'file: is required' }] },
    });
    expect(await upload(hospital, file(aPng()), TX, file(aPng()))).toMatchObject({
      status: 400,
      json: { issues: [{ message: 'file: is given more than once' }] },
    });
  });

  it('names a path, or a record that no scope of the client covers', async () => {
    expect((await upload(hospital, field('transactionId', '../../x'), file(aPng()))).status).toBe(400);
    const client = await aCaller('type=attachment.upload', 'type=record.notify&event=birth');
    const nobodys = randomUUID();
    for (const id of [DEATH.id, nobodys]) {
      const { status, json } = await upload(client, TX, file(aPng()), field('eventId', id));
      expect([status, json]).toEqual([404, { message: `Event not found with ID: ${id}`, code: 'NOT_FOUND' }]);
    }
  });

  const CUT = { body: multipart([TX, file(aPng(300_000))]), bytes: 200_000 };
  const begun = async (): Promise<BegunUpload> => {
    const upload = beginUpload(service.publicUrl, hospital, CUT);
    await eventually('it arrives', async () => (await rows()) > (before[1] ?? 0));
    return upload;
  };

  it('is cut short, by its sender or by its length', async () => {
    const asked = { token: hospital, headers: { 'content-type': MULTIPART }, body: CUT.body.subarray(0, CUT.bytes) };
    expect((await service.request('POST', '/attachments', asked)).status).toBe(400);
    (await begun()).sent.destroy();
  });

  it('has no row any more when it has arrived', async () => {
    const { finish } = await begun();
    await service.database.database.query(sql`delete from upload where path is null`);
    expect(await finish()).toBe(503);
  });
});

describe('the address of a file', () => {
  const client = (): EventCaller => eventCaller(service, hospital);
  const urlOf = async (eventId: string, fileId: string, token: string) => {
    const answer = await service.request('GET', `/events/${eventId}/files/${fileId}/url`, { token });
    return { ...answer, url: (answer.json as { presignedURL: string }).presignedURL };
  };
  /** A notified event that names a file, and the last segment of the path. */
  async function notified(
    content = aPdf(),
  ): Promise<{ readonly id: string; readonly path: string; readonly fileId: string }> {
    const path = pathOf(await upload(hospital, field('transactionId', randomUUID()), file(content)));
    const declaration = { 'documents.proof': { path, originalFilename: 'proof.pdf', type: 'application/pdf' } };
    const { status, event } = await client().post('/notify', aNotification({ eventType: 'birth', declaration }));
    expect(status).toBe(200);
    return { id: event.id, path, fileId: path.split('/').at(-1) ?? '' };
  }

  it('serves it to whoever has it, as something to save that never runs', async () => {
    const { id, fileId } = await notified();
    const { status, url } = await urlOf(id, fileId, await aCaller('record.read'));
    expect([status, new URL(url).origin]).toEqual([200, service.publicUrl]);
    const { pathname, search } = new URL(url);
    const answer = await service.request('GET', `${pathname}${search}`);
    expect([answer.status, answer.body]).toEqual([200, aPdf().toString()]);
    expect(answer.headers).toMatchObject({
      'content-type': 'application/pdf',
      'content-disposition': `attachment; filename="${fileId}"`,
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; sandbox",
      'content-length': String(aPdf().length),
      'cache-control': 'no-store',
    });
    const head = await service.request('HEAD', `${pathname}${search}`);
    expect([head.status, head.body]).toEqual([200, '']);
  });

  it('is good for this file alone, and not for long', async () => {
    const [one, other] = [await notified(), await notified(aPng())];
    const token = await aCaller('record.read');
    const { pathname, searchParams } = new URL((await urlOf(one.id, one.fileId, token)).url);
    const { pathname: others } = new URL((await urlOf(other.id, other.fileId, token)).url);
    const expires = searchParams.get('expires') ?? '';
    const signature = searchParams.get('signature') ?? '';
    expect(Number(expires) - Date.now() / 1_000).toBeLessThanOrEqual(300);
    const forged = [
      `${others}?expires=${expires}&signature=${signature}`,
      `${pathname}?expires=${Number(expires) + 1}&signature=${signature}`,
      `${pathname}?expires=${expires}&signature=${signature.replace(/^./, 'x')}x`,
      `${pathname}?expires=${expires}&signature=${signature}&signature=${signature}`,
      `${pathname}?expires=${expires}`,
      '/files/x',
    ];
    for (const path of forged) {
      const { status, json } = await service.request('GET', path);
      expect([status, json]).toEqual([
        403,
        { message: 'The address is not valid, or not any more', code: 'FORBIDDEN' },
      ]);
    }
  });

  it('is given for a record that the caller may read, and a file that it names', async () => {
    const { id, fileId } = await notified();
    const unnamed = pathOf(
      await upload(hospital, field('transactionId', randomUUID()), field('eventId', id), file(aPng())),
    );
    expect((await service.request('GET', `/presigned-url/${unnamed}`, { token: hospital })).status).toBe(404);
    const [reader, deaths] = [await aCaller('record.read'), await aCaller('type=record.read&event=death')];
    const asked: [string, string, string, number, string][] = [
      [id, fileId, deaths, 404, `Event not found with ID: ${id}`],
      [RECORD.id, fileId, reader, 404, `File not found: ${fileId}`],
      [id, unnamed.split('/').at(-1) ?? '', reader, 404, `File not found: ${unnamed.split('/').at(-1)}`],
      [id, fileId.slice(1), reader, 404, `File not found: ${fileId.slice(1)}`],
      [id, fileId, hospital, 403, 'Insufficient access'],
      ['one', fileId, reader, 400, 'Input validation failed'],
    ];
    for (const [of, name, token, status, message] of asked) {
      const answer = await urlOf(of, name, token);
      expect([answer.status, (answer.json as { message: string }).message]).toEqual([status, message]);
    }
  });

  it('cannot be had for the file of another client, since no record of one’s own can name it', async () => {
    const path = pathOf(
      await upload(await aCaller('attachment.upload'), field('transactionId', 'theirs'), file(aPng())),
    );
    const { path: taken } = await notified();
    for (const one of [path, taken, 'uploads/nobody/x.png', `events/${RECORD.id}/x.png`]) {
      const declaration = { 'documents.proof': [{ path: one, originalFilename: 'x', type: 'image/png' }] };
      const { status, message } = await client().post('/notify', aNotification({ eventType: 'birth', declaration }));
      expect([status, message]).toEqual([400, `File not found: ${one}`]);
    }
  });
});
