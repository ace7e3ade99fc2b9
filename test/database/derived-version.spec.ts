import type { PoolClient } from 'pg';
import {
  DERIVED_VERSION,
  derivedState,
  isOtherDerivedVersion,
} from '../../src/platform/database/connection/derived-version.js';
import { Database } from '../../src/platform/database/pools/database.js';
import { createDataSource } from '../../src/platform/database/schema/data-source.js';
import { buildBitmap, FORGET_BITMAPS } from '../../src/events/index/statistics/write-bitmaps.js';
import { checkDerived } from '../../src/events/reindex/check-derived.js';
import { reindex } from '../../src/events/reindex/reindex.js';
import { sql } from '../../src/kernel/sql/sql.js';
import { aRecord } from '../support/builders/a-record.js';
import { eventually } from '../support/eventually.js';
import { createTestDatabase, type TestDatabase } from '../support/postgres.js';
import { searchRecords } from '../support/search-records.js';
import { storeRecords } from '../support/store-records.js';
import { WITHOUT_FORMS } from '../support/without-forms.js';

let test: TestDatabase;
/** Processes of this release, of the next one, and of one that had no versions yet. */
let now: Database;
let next: Database;
let former: Database;

/** What a process has whose sessions say that they are of the version; undefined says nothing. */
async function processOf(version: number | undefined): Promise<Database> {
  const source = createDataSource(test.url, 2);
  const { onConnect } = source.options.extra as { onConnect: (client: PoolClient) => Promise<void> };
  const connect = async (client: PoolClient): Promise<void> => {
    await onConnect(client);
    await client.query(`set matricula.derived_version = '${version ?? ''}'`);
  };
  source.setOptions({ extra: { ...(source.options.extra as object), onConnect: connect } });
  return new Database(await source.initialize());
}

beforeEach(async () => {
  test = await createTestDatabase();
  now = test.database;
  next = await processOf(DERIVED_VERSION + 1);
  former = await processOf(undefined);
});

afterEach(async () => {
  await next.dataSource.destroy();
  await former.dataSource.destroy();
  await test.drop();
});

const hold = (version: number) => now.query(sql`update derived_version set version = ${version}`);

const write = (process: Database) => storeRecords(process, [aRecord({ type: 'birth' })]);

const births = async (process: Database): Promise<number> =>
  (await searchRecords(process, { query: { clauses: [{ eventType: 'birth' }] } })).total;

/** What of all that a process does is refused to it. */
async function refused(process: Database): Promise<readonly string[]> {
  const works: Readonly<Record<string, () => Promise<unknown>>> = {
    search: () => births(process),
    write: () => write(process),
    check: () => checkDerived(process, WITHOUT_FORMS),
    'a bitmap': () => process.transaction((transaction) => buildBitmap(transaction, { term: 0n })),
    'another reindex': () =>
      process.transaction(async (transaction) => {
        await transaction.query(FORGET_BITMAPS);
      }),
  };
  const failed: string[] = [];
  for (const [name, work] of Object.entries(works)) {
    try {
      await work();
    } catch (error) {
      if (!isOtherDerivedVersion(error)) throw error;
      failed.push(name);
    }
  }
  return failed;
}

const EVERYTHING = ['search', 'write', 'check', 'a bitmap', 'another reindex'];

describe('the version of what is derived', () => {
  it('is that of the program where there is no record yet', async () => {
    expect([await derivedState(now), await derivedState(next)]).toEqual(['up', 'needs reindex']);
    expect([await refused(now), await refused(next)]).toEqual([[], EVERYTHING]);
  });

  it('lets the earlier release serve until the later one has derived everything anew, and then that one alone', async () => {
    await write(now);
    expect([await refused(now), await refused(next)]).toEqual([[], EVERYTHING]);
    await reindex(next, WITHOUT_FORMS);
    expect([await derivedState(now), await derivedState(next)]).toEqual(['superseded', 'up']);
    expect([await refused(now), await refused(next)]).toEqual([EVERYTHING, []]);
    await expect(births(now)).rejects.toThrow(/by now, and this release reads .* give way to a later one$/);
    // What was refused has left nothing behind.
    expect([await births(next), (await checkDerived(next, WITHOUT_FORMS)).differences]).toEqual([3, []]);
  });

  it('can be taken back by a reindex of the earlier release', async () => {
    await write(now);
    await reindex(next, WITHOUT_FORMS);
    await reindex(now, WITHOUT_FORMS);
    expect([await refused(now), await refused(next)]).toEqual([[], EVERYTHING]);
  });

  it('is the first for a session that names none', async () => {
    await write(now);
    expect(await refused(former)).toEqual(EVERYTHING);
    await expect(reindex(former, WITHOUT_FORMS)).rejects.toThrow();
    expect([await derivedState(now), await births(now)]).toEqual(['up', 1]);
    await hold(1);
    await write(former);
    expect(await births(former)).toBe(2);
  });

  it('is kept by writers that began before it changed, and lost none of them', async () => {
    await write(now);
    let written = 0;
    const end = new AbortController();
    const writing = (async () => {
      while (!end.signal.aborted) {
        await write(now);
        written += 1;
      }
    })().catch((error: unknown) => {
      if (!isOtherDerivedVersion(error)) throw error;
    });
    await eventually('it has begun', () => written > 0);
    await reindex(next, WITHOUT_FORMS).finally(() => {
      end.abort();
    });
    await writing;
    expect(written).toBeGreaterThan(0);
    expect([await births(next), (await checkDerived(next, WITHOUT_FORMS)).differences]).toEqual([1 + written, []]);
  });
});
