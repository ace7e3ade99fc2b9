import { createHash } from 'node:crypto';
import type { INestApplicationContext } from '@nestjs/common';
import { Jobs } from '../../src/platform/jobs/jobs.js';
import { readConfig } from '../../src/platform/config/read-config.js';
import { GIB } from '../../src/kernel/domain/bytes.js';
import type { EventAction, EventDocument } from '../../src/kernel/domain/event-action.js';
import type { Uuid } from '../../src/kernel/domain/uuid.js';
import type { FileStore } from '../../src/events/files/file-store.js';
import { UploadRemoval } from '../../src/events/files/attachments.service.js';
import { Uploads } from '../../src/events/files/uploads.js';
import type { EventWrite } from '../../src/events/write/command.js';
import { EventWriter } from '../../src/events/write/event-writer.js';
import { AuthModule } from '../../src/auth/auth.module.js';
import { EventsModule } from '../../src/events/events.module.js';
import { aRecord } from '../support/builders/a-record.js';
import { aUuid } from '../support/builders/a-uuid.js';
import { anAction } from '../support/builders/an-action.js';
import { anEventDocument } from '../support/builders/an-event-document.js';
import { runImport } from '../support/imports.js';
import { createTestDatabase, type TestDatabase } from '../support/postgres.js';
import { startModules } from '../support/start-modules.js';
import { storeRecords } from '../support/store-records.js';
import { anUpload, namesOf } from '../support/uploads.js';

let database: TestDatabase;
let app: INestApplicationContext;
let writer: EventWriter;
beforeAll(async () => {
  database = await createTestDatabase();
  const config = readConfig({ NODE_ENV: 'test', SECRETS_KEY: Buffer.alloc(32, 7).toString('base64') });
  app = await startModules(database.url, config, { imports: [AuthModule, EventsModule] });
  writer = app.get(EventWriter, { strict: false });
});
afterAll(async () => {
  await app.close();
  await database.drop();
});

const LIMITS = { ATTACHMENT_LIMIT_BYTES: 10_485_760, UNNAMED_UPLOAD_BYTES: 1_073_741_824 };
const file = (path: string) => ({ path, originalFilename: 'scan.png', type: 'image/png' });
const naming = (...paths: readonly string[]): EventAction =>
  anAction({ type: 'NOTIFY', declaration: { 'documents.proof': paths.map(file) } });
const write = (eventId: Uuid, change: EventWrite, client = 'hospital'): Promise<string> =>
  writer.submit({ client, eventId, size: 1, decide: () => ({ answer: 'written', change }) });
/** Creates an event whose notification names the files. */
const notify = (document: EventDocument, ...paths: readonly string[]): Promise<string> =>
  write(document.id, { kind: 'create', document: { ...document, actions: [anAction(), naming(...paths)] } });
const notFound = (path: string) => ({ code: 'BAD_REQUEST', message: `File not found: ${path}`, issues: [] });

describe('a record', () => {
  it('names files among its own, and uploads of whoever writes', async () => {
    const document = anEventDocument();
    const own = await anUpload(database, { eventId: document.id, uploader: 'somebody else' });
    const free = await anUpload(database);
    expect(await notify(document, own.path, free.path)).toBe('written');
    expect(await namesOf(database)).toMatchObject({ [own.path]: document.id, [free.path]: document.id });
    const again = { kind: 'append', actions: [naming(free.path)] } as const;
    expect(await write(document.id, again, 'registrar')).toBe('written');
  });

  it('names no file that is nowhere, or is another’s, or that another record names, or that is about to go', async () => {
    const others = await anUpload(database, { uploader: 'somebody else' });
    const named = await anUpload(database);
    await notify(anEventDocument(), named.path);
    const going = await anUpload(database);
    await database.dataSource.query('update upload set removing_since = now() where id = $1', [going.id]);
    const before = await namesOf(database);
    for (const path of ['uploads/nowhere.png', `events/${aUuid()}/x.png`, others.path, named.path, going.path]) {
      const document = anEventDocument();
      await expect(notify(document, path)).rejects.toMatchObject(notFound(path));
      await expect(write(document.id, { kind: 'append', actions: [] })).rejects.toThrow('does not exist');
    }
    expect(await namesOf(database)).toEqual(before);
  });

  it('names no file among another’s own, whoever uploaded it', async () => {
    const [owner, other] = [anEventDocument(), anEventDocument()];
    await notify(owner);
    const { path } = await anUpload(database, { eventId: owner.id });
    await expect(notify(other, path)).rejects.toMatchObject(notFound(path));
    expect(await write(owner.id, { kind: 'append', actions: [naming(path)] })).toBe('written');
    expect(await namesOf(database)).toMatchObject({ [path]: owner.id });
  });

  it('may name what it has named before, wherever that is', async () => {
    const record = aRecord({ declaration: { 'documents.proof': file('elsewhere/scan.png') } });
    await storeRecords(database.database, [record]);
    const again = { kind: 'append', actions: [naming('elsewhere/scan.png')] } as const;
    expect(await write(record.id, again)).toBe('written');
    const other = { kind: 'append', actions: [naming('elsewhere/other.png')] } as const;
    await expect(write(record.id, other)).rejects.toMatchObject(notFound('elsewhere/other.png'));
  });

  it('gets a file that many ask for at once if it is the first, and the others change nothing', async () => {
    const free = await anUpload(database);
    const documents = Array.from({ length: 20 }, () => anEventDocument());
    const outcomes = await Promise.allSettled(documents.map((document) => notify(document, free.path)));
    const written = documents.filter((_, at) => outcomes[at]?.status === 'fulfilled');
    expect(written).toHaveLength(1);
    expect((await namesOf(database))[free.path]).toBe(written[0]?.id);
    expect(outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason as Error] : []))).toEqual(
      Array.from({ length: 19 }, () => expect.objectContaining(notFound(free.path)) as Error),
    );
  });

  it('names files in the content of a custom action as anywhere else', async () => {
    const document = anEventDocument();
    await notify(document);
    const free = await anUpload(database);
    const sealing = (path: string): EventWrite => ({
      kind: 'append',
      actions: [anAction({ type: 'CUSTOM', customActionType: 'SEAL', content: { order: file(path) } })],
    });
    expect(await write(document.id, sealing(free.path))).toBe('written');
    expect(await namesOf(database)).toMatchObject({ [free.path]: document.id });
    await expect(write(document.id, sealing('uploads/x.png'))).rejects.toMatchObject(notFound('uploads/x.png'));
  });

  it('that arrives from outside names any file, of which its own are its own', async () => {
    const merged = anEventDocument();
    const own = await anUpload(database, { eventId: merged.id });
    const free = await anUpload(database);
    const document = { ...merged, actions: [anAction(), naming(own.path, free.path, 'elsewhere/scan.png')] };
    expect(await write(merged.id, { kind: 'merge', document })).toBe('written');
    expect(await namesOf(database)).toMatchObject({ [own.path]: merged.id, [free.path]: null });
  });

  it('that is imported names its own files in annotations too', async () => {
    const documents = [anEventDocument(), anEventDocument()];
    const [one, other] = await Promise.all(documents.map(({ id }) => anUpload(database, { eventId: id })));
    const lines = [one, other].map((upload, at) => ({
      ...documents[at],
      actions: [anAction({ annotation: { scan: file(upload?.path ?? '') } })],
    }));
    await runImport(database.database, lines);
    expect(await namesOf(database)).toMatchObject({
      [one?.path ?? '']: documents[0]?.id,
      [other?.path ?? '']: documents[1]?.id,
    });
  });
});

describe('a file that arrives after the record', () => {
  const uploads = (): Uploads => new Uploads(database.database, LIMITS);
  const arrives = async (eventId: Uuid, name: string): Promise<string> => {
    const [id, path] = [aUuid(), `events/${eventId}/${name}.png`];
    await uploads().begin(id, 'hospital');
    const facts = { type: 'image/png', bytes: 3, sha256: createHash('sha256').update(id).digest() } as const;
    const settlement = { ...facts, path, eventId, uploader: 'hospital', transactionId: `${name}-${id}` };
    await database.database.transaction((transaction) => uploads().settle(transaction, id, settlement));
    return path;
  };

  it('is named if the record came from outside and names it, and otherwise waits for that', async () => {
    const document = anEventDocument();
    const of = (name: string) => file(`events/${document.id}/${name}.png`);
    const actions = [anAction({ annotation: { scan: of('annotated') } }), naming(of('declared').path)];
    await write(document.id, { kind: 'merge', document: { ...document, actions } });
    const id = aUuid();
    const imported = aRecord({ id, declaration: { 'documents.proof': file(`events/${id}/imported.png`) } });
    await storeRecords(database.database, [imported]);
    const named = [
      await arrives(document.id, 'declared'),
      await arrives(document.id, 'annotated'),
      await arrives(id, 'imported'),
    ];
    const unnamed = await arrives(id, 'another');
    expect(await namesOf(database)).toMatchObject({
      ...Object.fromEntries(named.map((path) => [path, path.split('/')[1]])),
      [unnamed]: null,
    });
  });
});

describe('uploads that no record names', () => {
  const removed: Uuid[] = [];
  const store = { remove: (id: Uuid) => Promise.resolve(void removed.push(id)) };
  const removal = (with_: Pick<FileStore, 'remove'> = store, limits = LIMITS) =>
    new UploadRemoval(new Uploads(database.database, limits), with_ as FileStore, new Jobs());
  const age = (id?: Uuid): Promise<unknown> =>
    database.dataSource.query(`update upload set created_at = now() - interval '25 hours' where id = $1`, [id]);
  beforeEach(() => (removed.length = 0));

  it('go where they are not to be kept after all, but for those that are known already', async () => {
    const [known, arriving] = [await anUpload(database), await anUpload(database, { isWhole: false })];
    const lost = { id: aUuid() };
    for (const { id } of [known, arriving, lost]) await removal().remove(id);
    expect(removed).toEqual([arriving.id, lost.id]);
  });

  it('stay while the slowest client may still be sending them', async () => {
    const arriving = await anUpload(database, { hoursAgo: 19, isWhole: false });
    await removal(store, { ...LIMITS, ATTACHMENT_LIMIT_BYTES: GIB }).removeUnnamed();
    expect(removed).not.toContain(arriving.id);
    await removal().removeUnnamed();
    expect(removed).toContain(arriving.id);
  });

  it('go after 24 hours, and what broke off after two; others stay', async () => {
    const document = anEventDocument();
    const kept = [
      await anUpload(database),
      await anUpload(database, { hoursAgo: 23 }),
      await anUpload(database, { hoursAgo: 1, isWhole: false }),
    ];
    await notify(document, kept[0]?.path ?? '');
    await age(kept[0]?.id);
    const old = await anUpload(database, { hoursAgo: 25 });
    const broken = await anUpload(database, { hoursAgo: 3, isWhole: false });
    expect(await removal().removeUnnamed()).toBe(2);
    expect(removed.sort()).toEqual([old.id, broken.id].sort());
    for (const { id } of kept) expect(removed).not.toContain(id);
    expect(await removal().removeUnnamed()).toBe(0);
  });

  it('cannot be named any more once their removal has begun, and it is finished later', async () => {
    const { path, id } = await anUpload(database, { hoursAgo: 25 });
    const away = { remove: () => Promise.reject(new Error('the store is away')) };
    await expect(removal(away).removeUnnamed()).rejects.toThrow('the store is away');
    await expect(notify(anEventDocument(), path)).rejects.toMatchObject(notFound(path));
    // Another process may be at it.
    expect(await removal().removeUnnamed()).toBe(0);
    await database.dataSource.query(`update upload set removing_since = now() - interval '11 minutes' where id = $1`, [
      id,
    ]);
    expect(await removal().removeUnnamed()).toBe(1);
    expect(removed).toEqual([id]);
  });

  it('cannot be named after 24 hours either: a database that was restored may not know that they are gone', async () => {
    const { path, id } = await anUpload(database, { hoursAgo: 25 });
    await expect(notify(anEventDocument(), path)).rejects.toMatchObject(notFound(path));
    // Sent again it is another file in the store.
    const again = { path, uploader: 'hospital', eventId: null, transactionId: `tx-${id}` };
    const facts = { type: 'image/png', bytes: 3, sha256: Buffer.alloc(32) } as const;
    const uploads = new Uploads(database.database, LIMITS);
    expect(await uploads.findAgain({ ...again, ...facts })).toBeUndefined();
    const other = await anUpload(database, { isWhole: false });
    await uploads.settle(database.database, other.id, { ...again, ...facts });
    expect(await uploads.findAgain({ ...again, ...facts })).toMatchObject({ id: other.id, path, namedBy: null });
    await notify(anEventDocument(), path);
    expect((await uploads.under(path))?.id).toBe(other.id);
  });

  it('go also where one of them cannot be removed, and that is said', async () => {
    const old = await Promise.all(Array.from({ length: 3 }, () => anUpload(database, { hoursAgo: 25 })));
    let first: Uuid | undefined;
    const faulty = {
      remove: (id: Uuid) => (id === (first ??= id) ? Promise.reject(new Error('stuck')) : store.remove(id)),
    };
    await expect(removal(faulty).removeUnnamed()).rejects.toThrow('stuck');
    expect(removed.sort()).toEqual(
      old
        .map(({ id }) => id)
        .filter((id) => id !== first)
        .sort(),
    );
  });

  it('are those of a deleted draft too', async () => {
    const document = anEventDocument();
    const { path, id } = await anUpload(database);
    const draft = { ...document, actions: [anAction({ annotation: { scan: file(path) } })] };
    await write(document.id, { kind: 'create', document: draft });
    await age(id);
    expect(await removal().removeUnnamed()).toBe(0);
    await write(document.id, { kind: 'delete' });
    expect(await removal().removeUnnamed()).toBe(1);
    expect(removed).toEqual([id]);
  });
});
