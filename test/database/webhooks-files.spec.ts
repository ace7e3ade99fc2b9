import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MIB } from '../../src/kernel/domain/bytes.js';
import type { ActionType, EventDocument } from '../../src/kernel/domain/event-action.js';
import type { Uuid } from '../../src/kernel/domain/uuid.js';
import { FileStore } from '../../src/events/files/file-store.js';
import { importRecords } from '../../src/events/import/import-records.js';
import { publishing } from '../../src/events/import/import-options.js';
import { sql } from '../../src/kernel/sql/sql.js';
import { EnclosedFiles } from '../../src/webhooks/notification/enclosed-files.js';
import { Publisher } from '../../src/webhooks/delivery/publisher.js';
import { aUuid } from '../support/builders/a-uuid.js';
import { anEventDocument } from '../support/builders/an-event-document.js';
import { anAction } from '../support/builders/an-action.js';
import { eventually } from '../support/eventually.js';
import { aPng } from '../support/multipart.js';
import { ndjson } from '../support/ndjson.js';
import { anUpload } from '../support/uploads.js';
import {
  askingWebhooks,
  makeGood,
  startWebhookService,
  type TestClient,
  type WebhookService,
} from '../support/webhook-routes.js';
import { removeWebhooks } from '../support/remove-webhooks.js';
import { WITHOUT_FORMS } from '../support/without-forms.js';

const { signal } = new AbortController();

let directory: string;
let service: WebhookService;
let client: TestClient;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'matricula-files-'));
  service = await startWebhookService({ DATA_DIR: directory });
  client = await aClient(['webhook']);
});
afterAll(async () => {
  await service.close();
  await rm(directory, { recursive: true });
});
beforeEach(() => {
  makeGood(service.subscriber);
});
afterEach(() => removeWebhooks(service.test));

const { aClient, subscribe, trigger, aRegistration } = askingWebhooks(() => ({ ...service, client }));

/** An upload for the event, with its file unless `isLost`. */
async function stored(eventId: Uuid, bytes: number, isLost = false): Promise<string> {
  const { id, path } = await anUpload(service.test, { eventId, bytes });
  const store = service.app.get(FileStore, { strict: false });
  async function* content(): AsyncGenerator<Buffer> {
    yield await Promise.resolve(aPng(bytes));
  }
  if (!isLost) await store.write(id, content(), { type: 'image/png', signal });
  return path;
}

/** A registered event with these files, of which more was done afterwards. */
function aRegistered(eventId: Uuid, paths: readonly string[], after: readonly ActionType[] = []): EventDocument {
  const files = paths.map((path) => ({ path, originalFilename: 'scan.png', type: 'image/png', option: 'SCAN' }));
  const registration = aRegistration({ declaration: { 'documents.proof': files } });
  return anEventDocument({
    id: eventId,
    actions: [anAction(), registration, ...after.map((type) => anAction({ type }))],
  });
}

/** Registers an event with these files; resolves when there are so many notifications of it. */
async function registered(
  eventId: Uuid,
  paths: readonly string[],
  { notifications = 1, after = [] }: { readonly notifications?: number; readonly after?: readonly ActionType[] } = {},
): Promise<void> {
  const document = aRegistered(eventId, paths, after);
  expect(await trigger(document, after.at(-1))).toEqual({ status: 200, body: undefined });
  await eventually('notified', () => service.subscriber.notifications.length === notifications);
}

/** What the notification has of each of the files. */
async function enclosed(
  eventId: Uuid,
  paths: readonly string[],
  after: readonly ActionType[] = [],
): Promise<readonly unknown[]> {
  await registered(eventId, paths, { after });
  return attachmentsIn(service.subscriber.notifications[0]?.body);
}

function attachmentsIn(notification: Buffer | undefined): readonly unknown[] {
  const body = JSON.parse(notification?.toString() ?? '') as {
    readonly context: readonly [
      { entry: readonly { resource: { resourceType: string; content?: readonly unknown[] } }[] },
    ];
  };
  const documents = body.context[0].entry.filter(({ resource }) => resource.resourceType === 'DocumentReference');
  return documents.map(({ resource }) => (resource.content?.[0] as { attachment: unknown }).attachment);
}

const asData = (bytes: number): object => ({
  contentType: 'image/png',
  data: `data:image/png;base64,${aPng(bytes).toString('base64')}`,
});
const asPath = (path: string): object => ({ contentType: 'image/png', url: path, title: 'scan.png' });

describe('the files of a notification', () => {
  it('are enclosed up to 2 MiB, others go by their path', async () => {
    await subscribe();
    const id = aUuid();
    const [small, largest, larger] = [await stored(id, 100), await stored(id, 2 * MIB), await stored(id, 2 * MIB + 1)];
    const others = await stored(aUuid(), 100);
    expect(await enclosed(id, [small, largest, larger, others, 'elsewhere/scan.png'])).toEqual([
      asData(100),
      asData(2 * MIB),
      asPath(larger),
      asPath(others),
      asPath('elsewhere/scan.png'),
    ]);
  });

  it('are no more than 8 MiB together', async () => {
    await subscribe();
    const id = aUuid();
    const paths: string[] = [];
    for (let at = 0; at < 5; at += 1) paths.push(await stored(id, 2 * MIB - 4 + at));
    expect(await enclosed(id, paths)).toEqual(
      paths.map((path, at) => (at < 4 ? asData(2 * MIB - 4 + at) : asPath(path))),
    );
  });

  it('are written with one statement for each format, so that each is made in a short piece', async () => {
    await subscribe();
    await subscribe({ callback: service.subscriber.url('/second'), format: 'opencrvs-1x' });
    const id = aUuid();
    await registered(id, [await stored(id, 2 * MIB)], { notifications: 2 });
    const statements = await service.test.database.query(
      sql`select count(*)::int as contexts from webhook_context group by cmin::text order by cmin::text`,
    );
    expect(statements).toEqual([{ contexts: 1 }, { contexts: 1 }]);
  });

  it.each<readonly [string, ActionType]>([
    ['another topic', 'PRINT_CERTIFICATE'],
    ['none', 'ARCHIVE'],
  ])('are enclosed when a trigger of %s tells of the registration too', async (_, action) => {
    await subscribe();
    const id = aUuid();
    const path = await stored(id, 100);
    expect(await enclosed(id, [path], [action])).toEqual([asData(100)]);
  });

  it('are enclosed where an import tells of the registration, too', async () => {
    await subscribe();
    const id = aUuid();
    const path = await stored(id, 100);
    const { app, test } = service;
    const [publisher, files] = [app.get(Publisher, { strict: false }), app.get(EnclosedFiles, { strict: false })];
    const lines = ndjson([aRegistered(aUuid(), []), aRegistered(id, [path]), aRegistered(aUuid(), [path])]);
    await importRecords(test.database, WITHOUT_FORMS, lines, publishing(publisher, files));
    publisher.announceAll();
    await eventually('all are notified', () => service.subscriber.notifications.length === 3);
    const attachments = service.subscriber.notifications.map(({ body }) => attachmentsIn(body));
    expect(new Set(attachments.map((of) => JSON.stringify(of)))).toEqual(
      new Set([[], [asData(100)], [asPath(path)]].map((of) => JSON.stringify(of))),
    );
  });

  it('go by their path when the store has lost them, and no other does, of this event or the next', async () => {
    await subscribe();
    const [id, next] = [aUuid(), aUuid()];
    const paths = [await stored(id, 100, true), await stored(id, 101)] as const;
    expect(await enclosed(id, paths)).toEqual([asPath(paths[0]), asData(101)]);
    await registered(next, [await stored(next, 100)], { notifications: 2 });
    expect(attachmentsIn(service.subscriber.notifications[1]?.body)).toEqual([asData(100)]);
  });

  it('are asked for again when the store fails, and go by their path when it fails again (W-4)', async () => {
    await subscribe();
    const [id, next] = [aUuid(), aUuid()];
    const [path, ofNext] = [await stored(id, 100), await stored(next, 100)];
    const open = jest.spyOn(service.app.get(FileStore, { strict: false }), 'open');
    open.mockRejectedValueOnce(new Error('away'));
    expect(await enclosed(id, [path])).toEqual([asData(100)]);
    open.mockRejectedValueOnce(new Error('away')).mockRejectedValueOnce(new Error('away'));
    await registered(next, [ofNext], { notifications: 2 });
    expect(attachmentsIn(service.subscriber.notifications[1]?.body)).toEqual([asPath(ofNext)]);
    open.mockRestore();
  });
});
