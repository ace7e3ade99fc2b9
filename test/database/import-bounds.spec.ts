import type { ImportOptions } from '../../src/events/import/import-options.js';
import { importRecords } from '../../src/events/import/import-records.js';
import type { EventAction } from '../../src/kernel/domain/event-action.js';
import { sql } from '../../src/kernel/sql/sql.js';
import type { Queryable } from '../../src/platform/database/connection/queryable.js';
import { Connections } from '../../src/platform/database/pools/connections.js';
import type { Database } from '../../src/platform/database/pools/database.js';
import { aRecord } from '../support/builders/a-record.js';
import { anAction } from '../support/builders/an-action.js';
import { anEventDocument } from '../support/builders/an-event-document.js';
import { bodiesIn, inOrder, runImport, someRecords } from '../support/imports.js';
import { ndjson } from '../support/ndjson.js';
import { administer, createTestDatabase, type TestDatabase } from '../support/postgres.js';
import { askingWebhooks, startWebhookService, type WebhookService } from '../support/webhook-routes.js';
import { WITHOUT_FORMS } from '../support/without-forms.js';

describe('bounds of an import', () => {
  let service: WebhookService;
  beforeAll(async () => {
    service = await startWebhookService();
  });
  afterAll(() => service.close());

  const { trigger, aRegistration } = askingWebhooks(() => ({
    ...service,
    client: { clientId: '' as never, shaSecret: '', token: '' },
  }));

  const fields = (count: number, from = 0): Readonly<Record<string, number>> =>
    Object.fromEntries(Array.from({ length: count }, (_, at) => [`field.${from + at}`, 1]));
  const declared = (count: number, from = 0): EventAction =>
    anAction({ type: 'DECLARE', declaration: fields(count, from) });

  const TOO_MANY = { message: 'declaration: has more than 2000 values' };
  const WOULD_BE_TOO_MANY = { message: 'declaration: would have 3000 values; at most 2000 are allowed' };
  const TOO_MANY_IN_ALL = { message: 'body: has more than 20000 values' };

  describe('an event from outside', () => {
    it('is refused in an import where its declaration is larger than any may be, and stops nothing', async () => {
      const record = aRecord({ declaration: fields(3_000) });
      const document = anEventDocument({ actions: [anAction(), declared(3_000)] });
      const { result } = await runImport(service.test.database, [record, aRecord(), document, aRecord()]);
      expect(result).toEqual({
        imported: 2,
        updated: 0,
        rejected: 2,
        faults: [
          { line: 1, id: record.id, issues: [TOO_MANY] },
          { line: 3, id: document.id, issues: [TOO_MANY] },
        ],
      });
    });

    it('is refused before it is read where it has more values than histories have', async () => {
      const flags = Array.from({ length: 20_000 }, (_, at) => `flag ${at}`);
      const record = { ...aRecord(), flags };
      const { result } = await runImport(service.test.database, [record, aRecord()]);
      expect(result).toEqual({
        imported: 1,
        updated: 0,
        rejected: 1,
        faults: [{ line: 1, id: record.id, issues: [TOO_MANY_IN_ALL] }],
      });
    });

    it('is refused where it would make a stored declaration larger than any may be', async () => {
      const document = anEventDocument({ actions: [anAction(), declared(1_500)] });
      const grown = { ...document, actions: [...document.actions, declared(1_500, 1_500)] };
      // The second one is refused, what is as it was is not.
      const { result } = await runImport(service.test.database, [document, grown, document]);
      expect(result).toEqual({
        imported: 1,
        updated: 1,
        rejected: 1,
        faults: [{ line: 2, id: document.id, issues: [TOO_MANY] }],
      });
    });

    it('is refused as a trigger in the same way', async () => {
      const document = anEventDocument({ actions: [anAction(), declared(1_500), aRegistration()] });
      expect((await trigger(document)).status).toBe(200);
      const grown = { ...document, actions: [...document.actions, declared(1_500, 1_500)] };
      expect(await trigger(grown, 'DECLARE')).toMatchObject({ status: 400, body: { issues: [WOULD_BE_TOO_MANY] } });
      const many = anEventDocument({ actions: [anAction(), declared(20_000), aRegistration()] });
      expect(await trigger(many)).toMatchObject({ status: 400, body: { issues: [TOO_MANY_IN_ALL] } });
    });
  });
});

describe('an import that is interrupted', () => {
  let test: TestDatabase;
  let database: Database;

  beforeAll(async () => {
    test = await createTestDatabase();
    ({ database } = test);
  });

  beforeEach(() => database.query(sql`delete from event`));

  afterAll(() => test.drop());

  const bodies = (): Promise<readonly string[]> => bodiesIn(database);
  const run = (lines: readonly unknown[], options?: ImportOptions) => runImport(database, lines, options);

  describe('an import that is broken off', () => {
    const afterTheFirstBatch = () => {
      const stop = new AbortController();
      return {
        signal: stop.signal,
        onProgress: () => {
          stop.abort(new Error('stopped'));
        },
      };
    };

    it('keeps whole records, and does the rest when it is run again', async () => {
      const records = someRecords(2_000);
      await expect(run(records, afterTheFirstBatch())).rejects.toThrow('stopped');
      const kept = (await bodies()).length;
      expect(kept).toBeGreaterThan(0);
      expect(kept).toBeLessThan(2_000);

      const { result } = await run(records);
      expect(result).toEqual({ imported: 2_000 - kept, updated: kept, rejected: 0, faults: [] });
      expect(await bodies()).toEqual(inOrder(records));
    });

    it('fails as its source does', async () => {
      async function* source(): AsyncGenerator<Uint8Array> {
        yield* ndjson(someRecords(300)) as AsyncIterable<Uint8Array>;
        throw new Error('the disk is gone');
      }
      await expect(importRecords(database, WITHOUT_FORMS, source())).rejects.toThrow('the disk is gone');
      await run(someRecords(1));
    });

    it('fails with its connection, and can be run again', async () => {
      const records = someRecords(1_000);
      const lines = [...records.slice(0, 500), 'a line that is none', ...records.slice(500)];
      let batches = 0;
      const onWritten = async (transaction: Queryable): Promise<void> => {
        batches += 1;
        if (batches < 2) return;
        const [row] = await transaction.query<{ pid: number }>(sql`select pg_backend_pid() as pid`);
        await administer(`select pg_terminate_backend(${row?.pid ?? 0})`);
      };
      await expect(importRecords(database, WITHOUT_FORMS, ndjson(lines), { onWritten })).rejects.toThrow();
      const kept = (await bodies()).length;
      expect(kept).toBeGreaterThan(0);
      expect(kept).toBeLessThan(1_000);

      expect((await run(lines)).result).toMatchObject({ imported: 1_000 - kept, updated: kept, rejected: 1 });
      expect(await bodies()).toEqual(inOrder(records));
    });
  });

  describe('an import that waits for its source', () => {
    it('holds no connection', async () => {
      const pool = database.primary.pool('matricula test', 1);
      const only = new Connections(() => pool);
      let asked = 0;
      async function* source(): AsyncGenerator<Uint8Array> {
        for (let batch = 0; batch < 3; batch += 1) {
          yield* ndjson(someRecords(600)) as AsyncIterable<Uint8Array>;
          yield Buffer.from('\n');
          await only.query(sql`select`);
          asked += 1;
        }
      }
      expect(await importRecords(only, WITHOUT_FORMS, source())).toMatchObject({ imported: 1_800 });
      expect(asked).toBe(3);
      await pool.end();
    });
  });

  describe('imports at the same time', () => {
    it('of the same file take every record once', async () => {
      const records = someRecords(1_200);
      const results = await Promise.all([run(records), run(records.toReversed())]);
      expect(results.map(({ result }) => result.imported + result.updated)).toEqual([1_200, 1_200]);
      expect(results.reduce((sum, { result }) => sum + result.imported, 0)).toBe(1_200);
      expect(await bodies()).toEqual(inOrder(records));
    });
  });
});
