import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { Jobs } from '../../src/platform/jobs/jobs.js';
import type { PacedBody } from '../../src/platform/queue/body-places.js';
import { callerOf } from '../../src/auth/access/scope-permissions.js';
import type { Caller } from '../../src/kernel/domain/scopes/caller.js';
import { AuditLog } from '../../src/platform/audit/audit-log.js';
import { AuditWriter } from '../../src/platform/audit/audit-writer.js';
import { AuditDatabase } from '../../src/platform/database/pools/pools.js';
import type { Transaction } from '../../src/platform/database/pools/connections.js';
import { Database } from '../../src/platform/database/pools/database.js';
import { DiskStore } from '../../src/events/files/disk-store.js';
import type { FileStore } from '../../src/events/files/file-store.js';
import { Attachments, UploadRemoval } from '../../src/events/files/attachments.service.js';
import { Uploads } from '../../src/events/files/uploads.js';
import { sql } from '../../src/kernel/sql/sql.js';
import { aRecord } from '../support/builders/a-record.js';
import { aPng, field, file, filesIn, multipart, MULTIPART } from '../support/multipart.js';
import { createTestDatabase, type TestDatabase } from '../support/postgres.js';
import { storeRecords } from '../support/store-records.js';
import { storedAccess } from '../support/stored-access.js';

const CONFIG = {
  ATTACHMENT_LIMIT_BYTES: 10_485_760,
  UNNAMED_UPLOAD_BYTES: 1_073_741_824,
  ATTACHMENT_TYPES: ['image/png'],
} as const;

/** Nobody hears of the commits of its transactions. */
class LosesAnswers extends Database {
  constructor(
    { dataSource }: TestDatabase,
    private readonly meanwhile: () => Promise<unknown>,
  ) {
    super(dataSource);
  }

  override async transaction<T>(work: (transaction: Transaction) => Promise<T>): Promise<T> {
    await super.transaction(work);
    await this.meanwhile();
    throw new Error('Connection terminated unexpectedly');
  }
}

let test: TestDatabase;
let directory: string;
beforeAll(async () => {
  test = await createTestDatabase();
  directory = await mkdtemp(join(tmpdir(), 'matricula-uploads-'));
});
afterAll(async () => {
  await test.drop();
  await rm(directory, { recursive: true, force: true });
});

const hospital: Caller = callerOf(
  { sub: 'hospital', userType: 'system', scope: ['record.notify', 'attachment.upload'] },
  () => undefined,
);

/** What takes attachments in, as one process of several. */
function attachments(database: Database, store: FileStore = new DiskStore(directory)): Attachments {
  const uploads = new Uploads(test.database, CONFIG);
  const { stored, capacities } = storedAccess(test.database);
  return new Attachments(
    database,
    uploads,
    store,
    new UploadRemoval(uploads, store, new Jobs()),
    stored,
    new AuditLog(new AuditWriter(new AuditDatabase(test.database.primary))),
    capacities,
    { ...CONFIG, ATTACHMENT_TYPES: [...CONFIG.ATTACHMENT_TYPES] },
  );
}

function send(to: Attachments, transactionId: string, eventId?: string): Promise<string> {
  const named = eventId === undefined ? [] : [field('eventId', eventId)];
  const form = multipart([field('transactionId', transactionId), ...named, file(aPng())]);
  const body: PacedBody = Object.assign(Readable.from([form]), { pace: undefined });
  return to.upload(hospital, { body, contentType: MULTIPART, hungUp: new AbortController().signal });
}

const known = async (): Promise<readonly string[]> =>
  (await test.database.query<{ path: string }>(sql`select path from upload where removing_since is null`)).map(
    ({ path }) => path,
  );

describe('an upload whose commit was not answered', () => {
  it('stays for whoever has sent it again meanwhile, and was told that it is there', async () => {
    const answered: string[] = [];
    const first = attachments(
      new LosesAnswers(test, async () => answered.push(await send(attachments(test.database), 'scan-1'))),
    );
    await expect(send(first, 'scan-1')).rejects.toThrow('Connection terminated unexpectedly');
    expect(answered).toHaveLength(1);
    expect(await known()).toEqual(answered);
    expect(await filesIn(directory)).toBe(1);
  });
});

describe('an upload for an event that somebody else holds', () => {
  it('is refused after two seconds, so that it keeps no connection, and leaves nothing', async () => {
    const record = aRecord();
    await storeRecords(test.database, [record]);
    const before = [await known(), await filesIn(directory)];
    await test.database.transaction(async (transaction) => {
      await transaction.query(sql`select from event where id = ${record.id} for no key update`);
      await expect(send(attachments(test.database), 'scan-3', record.id)).rejects.toMatchObject({
        code: 'SERVICE_UNAVAILABLE',
        message: 'The event is being changed; send the file again',
      });
    });
    expect([await known(), await filesIn(directory)]).toEqual(before);
  });
});

/** It fails, and does what it was told all the same. */
class LateStore extends DiskStore {
  protected override keep(): Promise<void> {
    return Promise.reject(new Error('no answer in time'));
  }
}

describe('an upload that the store did not answer', () => {
  it('is remembered until it is removed once more, as the store may still keep it', async () => {
    await expect(send(attachments(test.database, new LateStore(directory)), 'scan-2')).rejects.toMatchObject({
      code: 'SERVICE_UNAVAILABLE',
    });
    const rows = await test.database.query(
      sql`select removing_since is not null as going from upload where path is null`,
    );
    expect(rows).toEqual([{ going: true }]);
  });
});
