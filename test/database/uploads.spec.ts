import { createHash, randomUUID } from 'node:crypto';

import { FileNaming, nameOwnFiles } from '../../src/events/files/file-naming.js';
import type { FileStore } from '../../src/events/files/file-store.js';
import { UploadRemoval } from '../../src/events/files/attachments.service.js';
import { type Settlement, Uploads } from '../../src/events/files/uploads.js';
import type { Uuid } from '../../src/kernel/domain/uuid.js';
import { sql } from '../../src/kernel/sql/sql.js';
import { Jobs } from '../../src/platform/jobs/jobs.js';
import { aRecord } from '../support/builders/a-record.js';
import { aUuid } from '../support/builders/a-uuid.js';
import { eventually } from '../support/eventually.js';
import { createTestDatabase, type TestDatabase } from '../support/postgres.js';
import { storeRecords } from '../support/store-records.js';
import { anUpload, namesOf } from '../support/uploads.js';

describe('removal of uploads', () => {
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
});

describe('rows of uploads', () => {
  let test: TestDatabase;
  let uploads: Uploads;
  beforeAll(async () => {
    test = await createTestDatabase();
    uploads = new Uploads(test.database, { ATTACHMENT_LIMIT_BYTES: 10_485_760, UNNAMED_UPLOAD_BYTES: 1_000 });
  });
  afterAll(() => test.drop());

  /** What is known of a new file, under a path of its own unless it is given. */
  function aSettlement(given: Partial<Settlement> = {}): Settlement {
    const transactionId = randomUUID();
    const facts = { type: 'image/png', bytes: 3, sha256: createHash('sha256').update(transactionId).digest() } as const;
    return {
      ...facts,
      transactionId,
      path: `uploads/x/${transactionId}.png`,
      uploader: 'hospital',
      eventId: null,
      ...given,
    };
  }

  async function known(settlement: Settlement): Promise<Uuid> {
    const id = aUuid();
    await uploads.begin(id, settlement.uploader);
    await uploads.settle(test.database, id, settlement);
    return id;
  }

  const removalBegins = (id: Uuid): Promise<unknown> =>
    test.database.query(sql`update upload set removing_since = now() where id = ${id}`);

  async function anEvent(): Promise<Uuid> {
    const record = aRecord();
    await storeRecords(test.database, [record]);
    return record.id;
  }

  const named = (eventId: Uuid, path: string): Promise<unknown> =>
    test.database.query(sql`update upload set named_by = ${eventId} where path = ${path}`);

  describe('uploads that no record names (F-2)', () => {
    const TOO_MANY = {
      code: 'PAYLOAD_TOO_LARGE',
      issues: [{ message: expect.stringContaining('1000 bytes together (UNNAMED_UPLOAD_BYTES)') as string }],
    };
    const settled = async (settlement: Settlement): Promise<void> => {
      const id = aUuid();
      await uploads.begin(id, settlement.uploader);
      await test.database.transaction((transaction) => uploads.settle(transaction, id, settlement));
    };

    it('have so many bytes of one caller together, and what a record names does not count', async () => {
      const [uploader, eventId] = ['ward', await anEvent()];
      const first = aSettlement({ uploader, bytes: 600 });
      await settled(first);
      await expect(settled(aSettlement({ uploader, eventId, bytes: 401 }))).rejects.toMatchObject(TOO_MANY);
      await settled(aSettlement({ uploader, eventId, bytes: 400 }));
      // Nothing more is begun, and nothing is written to the store.
      await expect(uploads.begin(aUuid(), uploader)).rejects.toMatchObject(TOO_MANY);
      await settled(aSettlement({ uploader: 'other ward', bytes: 1_000 }));
      await named(eventId, first.path);
      await settled(aSettlement({ uploader, bytes: 600 }));
    });

    it('have no more together when several arrive at the same moment', async () => {
      const arriving = Array.from({ length: 6 }, () => settled(aSettlement({ uploader: 'busy ward', bytes: 300 })));
      const outcomes = await Promise.allSettled(arriving);
      expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(3);
    });
  });

  describe('an upload', () => {
    it('is refused where its removal has begun before it was whole', async () => {
      const id = aUuid();
      await uploads.begin(id, 'hospital');
      await removalBegins(id);
      const settling = uploads.settle(test.database, id, aSettlement());
      await expect(settling).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
      expect(await test.database.query(sql`select path from upload where id = ${id}`)).toEqual([{ path: null }]);
    });

    it('has another 24 hours from when it is sent again, unless a record names it', async () => {
      const [waiting, used] = [aSettlement(), aSettlement()];
      const ids = [await known(waiting), await known(used)];
      await named(await anEvent(), used.path);
      await test.database.query(sql`update upload set created_at = now() - interval '23 hours'`);
      for (const settlement of [waiting, used]) await uploads.findAgain(settlement);
      const ages = await test.database.query(sql`
      select id, round(extract(epoch from now() - created_at) / 3600)::int as hours
        from upload where id = any (${ids}::uuid[]) order by hours`);
      expect(ages).toEqual([
        { id: ids[0], hours: 0 },
        { id: ids[1], hours: 23 },
      ]);
    });

    it('is found again as that of its transaction, before that of another uploader under its path', async () => {
      const path = `events/${aUuid()}/scan.png`;
      const others = aSettlement({ path, uploader: 'somebody else' });
      const own = aSettlement();
      await known(others);
      const id = await known(own);
      const again = await uploads.findAgain({ ...own, path, sha256: others.sha256 });
      expect({ id: again?.id, path: again?.path }).toEqual({ id, path: own.path });
    });

    it('is found by the whole last segment of its path', async () => {
      const eventId = await anEvent();
      const paths = ['scan.png', 'old-scan.png'].map((name) => `events/${eventId}/${name}`);
      for (const path of paths) {
        await known(aSettlement({ path }));
        await named(eventId, path);
      }
      expect((await uploads.namedBy(eventId, 'scan.png')).map(({ path }) => path)).toEqual(paths.slice(0, 1));
    });

    it('is there no more once its removal has begun, and is not named by what arrives then', async () => {
      const eventId = aUuid();
      const { id, path } = await anUpload(test, { eventId });
      await removalBegins(id);
      await test.database.transaction((transaction) => nameOwnFiles(transaction, [{ eventId, paths: [path] }]));
      expect((await namesOf(test))[path]).toBeNull();
      expect([await uploads.under(path), await uploads.find(id)]).toEqual([undefined, undefined]);
    });

    it('is named by the first of two records that are written at the same time, and the other is refused', async () => {
      const { path } = await anUpload(test);
      const [first, second] = [await anEvent(), await anEvent()];
      const use = (eventId: Uuid) => ({ eventId, writer: 'hospital', paths: [path], named: () => [] });
      let later: Promise<void> | undefined;
      await test.database.transaction(async (transaction) => {
        const naming = await FileNaming.of(transaction, [use(first)]);
        naming.admit(use(first));
        later = test.database.transaction(async (another) => {
          (await FileNaming.of(another, [use(second)])).admit(use(second));
        });
        later.catch(() => undefined);
        await eventually('the other waits', async () => {
          const waiting = await test.database.query(sql`
          select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`);
          return waiting.length === 1;
        });
        await naming.write(transaction);
      });
      await expect(later).rejects.toMatchObject({ code: 'BAD_REQUEST', message: `File not found: ${path}` });
      expect((await namesOf(test))[path]).toBe(first);
    });
  });
});
