import { Jobs } from '../../src/platform/jobs/jobs.js';
import type { Uuid } from '../../src/kernel/domain/uuid.js';
import type { FileStore } from '../../src/events/files/store/file-store.js';
import { UploadRemoval } from '../../src/events/files/upload-removal.js';
import { Uploads } from '../../src/events/files/uploads.js';
import { sql } from '../../src/kernel/sql/sql.js';
import { createTestDatabase, type TestDatabase } from '../support/postgres.js';
import { anUpload } from '../support/uploads.js';

const LIMITS = { ATTACHMENT_LIMIT_BYTES: 10_485_760, UNNAMED_UPLOAD_BYTES: 1_073_741_824 };

describe('an upload that no record names', () => {
  let test: TestDatabase;

  beforeAll(async () => {
    test = await createTestDatabase();
  });
  afterAll(() => test.drop());

  it('goes where as many older ones as are removed at a time could not be, ten minutes before', async () => {
    await test.database.query(sql`
      insert into upload (id, uploader, created_at, removing_since)
      select gen_random_uuid(), 'hospital', now() - interval '30 hours', now() - interval '11 minutes'
        from generate_series(1, 100)`);
    const { id } = await anUpload(test, { hoursAgo: 25 });
    const removed: Uuid[] = [];
    const store = {
      remove: (of: Uuid) => (of === id ? Promise.resolve(void removed.push(of)) : Promise.reject(new Error('stuck'))),
    } as unknown as FileStore;
    const removal = new UploadRemoval(new Uploads(test.database, LIMITS), store, new Jobs());
    await expect(removal.removeUnnamed()).rejects.toThrow('stuck');
    expect(removed).toEqual([id]);
  });

  it('goes once more where the store may have kept it after its removal', async () => {
    const { id } = await anUpload(test, { isWhole: false });
    const kept = new Set<Uuid>();
    const store = { remove: (of: Uuid) => Promise.resolve(void kept.delete(of)) } as unknown as FileStore;
    const removal = new UploadRemoval(new Uploads(test.database, LIMITS), store, new Jobs());
    await removal.remove(id, { isUnclear: true });
    // What had been sent to it is done late.
    kept.add(id);
    expect(await removal.removeUnnamed()).toBe(0);
    await test.database.query(sql`
      update upload set created_at = now() - interval '3 hours', removing_since = now() - interval '3 hours'
       where id = ${id}`);
    expect(await removal.removeUnnamed()).toBe(1);
    expect([...kept]).toEqual([]);
    expect(await test.database.query(sql`select from upload where id = ${id}`)).toEqual([]);
  });
});
