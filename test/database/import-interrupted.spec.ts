import { Connections } from '../../src/platform/database/pools/connections.js';
import type { Database } from '../../src/platform/database/pools/database.js';
import type { Queryable } from '../../src/platform/database/connection/queryable.js';
import type { ImportOptions } from '../../src/events/import/import-options.js';
import { importRecords } from '../../src/events/import/import-records.js';
import { sql } from '../../src/kernel/sql/sql.js';
import { bodiesIn, inOrder, runImport, someRecords } from '../support/imports.js';
import { ndjson } from '../support/ndjson.js';
import { administer, createTestDatabase, type TestDatabase } from '../support/postgres.js';
import { WITHOUT_FORMS } from '../support/without-forms.js';

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
