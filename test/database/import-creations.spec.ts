import { readdir, rm } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { NestFactory } from '@nestjs/core';
import { SystemClients } from '../../src/auth/clients/system-clients.js';
import { prepareDemonstration } from '../../src/cli/demonstration.js';
import { derivedState } from '../../src/platform/database/connection/derived-version.js';
import { Database } from '../../src/platform/database/pools/database.js';
import { migrate } from '../../src/platform/database/schema/migrate.js';
import { MIB } from '../../src/kernel/domain/bytes.js';
import type { Creation, Creations } from '../../src/events/import/creations/creation.js';
import { CreationMaker } from '../../src/events/import/creations/creation-maker.js';
import type { ImportOptions } from '../../src/events/import/import-options.js';
import { writeCreation } from '../../src/events/import/creations/write-creation.js';
import { importRecords } from '../../src/events/import/import-records.js';
import { initialLoad } from '../../src/events/import/initial/initial-load.js';
import { reindex } from '../../src/events/reindex/reindex.js';
import { asSql, inBinary } from '../../src/kernel/sql/binary-params.js';
import { type Sql, sql } from '../../src/kernel/sql/sql.js';
import { besideSwap } from '../support/beside-swap.js';
import { aRecord } from '../support/builders/a-record.js';
import { anEventDocument } from '../support/builders/an-event-document.js';
import { everythingStored } from '../support/everything-stored.js';
import { runImport, someRecords } from '../support/imports.js';
import { ndjson } from '../support/ndjson.js';
import { createTestDatabase, type TestDatabase } from '../support/postgres.js';
import { scratchDirectory } from '../support/scratch-directory.js';
import { searchRecords } from '../support/search-records.js';
import { storeRecords } from '../support/store-records.js';
import { WITHOUT_FORMS } from '../support/without-forms.js';

let tests: readonly [TestDatabase, TestDatabase];
let plain: Database;
let database: Database;

beforeAll(async () => {
  tests = [await createTestDatabase(), await createTestDatabase()];
  [plain, database] = [tests[0].database, tests[1].database];
});

afterAll(() => Promise.all(tests.map((test) => test.drop())));

/** As on a thread. */
function here(made: { count: number }): Creations {
  const maker = new CreationMaker(database, WITHOUT_FORMS);
  return {
    of: async (lines) => {
      const { creation, written } = await maker.make(lines);
      made.count += 1;
      return { ...structuredClone(creation), written, discarded: () => undefined };
    },
    close: () => Promise.resolve(),
  };
}

describe('an import whose batches are made beside it', () => {
  it('leaves what the same import leaves without, and tells the same', async () => {
    const first = someRecords(1_200);
    const existing = first.slice(0, 3);
    const [again] = someRecords(1);
    const lines = [
      ...first,
      ...Array.from({ length: 200 }, () => anEventDocument()),
      '{"id":',
      aRecord({ trackingId: first[5]?.trackingId ?? '' }),
      ...someRecords(400),
      // Known ones, one of them with other content.
      ...existing.map((record) => ({ ...record, status: 'ARCHIVED' })),
      again,
      ...someRecords(100),
      { ...again, flags: ['incomplete'] },
      ...someRecords(2_100),
    ];
    const expected = await runImport(plain, lines);
    const made = { count: 0 };
    expect(await runImport(database, lines, { creations: () => here(made) })).toEqual(expected);
    expect(made.count).toBeGreaterThan(3);
    expect(await everythingStored(database)).toEqual(await everythingStored(plain));
  });

  it('is not made where events are known', async () => {
    const records = someRecords(2_000);
    await runImport(database, records);
    const made = { count: 0 };
    const { result } = await runImport(database, records, { creations: () => here(made) });
    expect({ result, made }).toEqual({
      result: { imported: 0, updated: 2_000, rejected: 0, faults: [] },
      made: { count: 0 },
    });
  });
});

describe('the creation of a batch', () => {
  const aCreation = async (): Promise<Creation> => {
    const line = { number: 1, text: JSON.stringify(aRecord()), fault: undefined };
    return (await new CreationMaker(database, WITHOUT_FORMS).make([line])).creation;
  };

  it('holds nothing that a reindex needs while it waits for its swap', async () => {
    const creation = await aCreation();
    const write = () => database.transaction((transaction) => writeCreation(transaction, creation));
    expect(await besideSwap(tests[1], write)).toBe(true);
  });

  it('has a transaction id before it reads the terms of areas: who has moved them waits for those that have one', async () => {
    const creation = await aCreation();
    const had: unknown[] = [];
    await database.transaction(async (transaction) => {
      const query = async <Row>(statement: Sql): Promise<Row[]> => {
        if (statement.toQuery().text === creation.statement?.text)
          had.push(...(await transaction.query(sql`select pg_current_xact_id_if_assigned() is not null as id`)));
        return transaction.query(statement);
      };
      await writeCreation({ query }, creation);
    });
    expect(had).toEqual([{ id: true }]);
  });
});

describe('an import whose thread fails', () => {
  it('does the rest without', async () => {
    const of = (): Promise<never> => Promise.reject(new Error('out of memory'));
    const { result } = await runImport(database, someRecords(1_600), {
      creations: () => ({ of, close: () => Promise.resolve() }),
    });
    expect(result).toEqual({ imported: 1_600, updated: 0, rejected: 0, faults: [] });
  });
});

describe('an initial load', () => {
  const noted: string[] = [];
  const load = (lines: readonly unknown[], options: ImportOptions = {}) =>
    initialLoad(
      database,
      () => runImport(database, lines, { isInitial: true, creations: () => here({ count: 0 }), ...options }),
      ({ name }) => noted.push(name),
    );
  const indexes = () => database.query(sql`select indexdef from pg_indexes where schemaname = 'public' order by 1`);
  const state = () => derivedState(database);
  const search = () => searchRecords(database, { query: { clauses: [{ eventType: 'birth' }] } });
  const whole = { imported: 0, updated: 0, rejected: 0, faults: [] };

  beforeEach(async () => {
    for (const each of [plain, database])
      await each.query(sql`truncate event, bitmap_dirty, term, fuzzy_path, term_doubt cascade`);
    for (const each of [plain, database]) await each.query(sql`truncate fuzzy_word, fuzzy_word_list, data_shape`);
  });

  it('leaves what an import leaves, once interrupted and gone on with, and nobody reads or writes meanwhile', async () => {
    const before = await indexes();
    const records = someRecords(1_700);
    const lines = [
      ...records,
      ...Array.from({ length: 300 }, () => anEventDocument()),
      'x',
      { ...records[3], flags: ['incomplete'] },
    ];
    const expected = await runImport(plain, lines);

    const stop = new AbortController();
    const onProgress = (): void => {
      stop.abort(new Error('stopped'));
    };
    await expect(load(lines, { signal: stop.signal, onProgress })).rejects.toThrow('stopped');
    expect(await state()).toBe('initial load');
    const refusal = 'An initial load of records is under way or was interrupted';
    await expect(search()).rejects.toThrow(refusal);
    await expect(storeRecords(database, someRecords(1))).rejects.toThrow(refusal);
    await expect(runImport(database, someRecords(1))).rejects.toThrow(refusal);
    await expect(reindex(database, WITHOUT_FORMS)).rejects.toThrow(refusal);
    expect((await indexes()).length).toBeLessThan(before.length);

    const { result, rejected } = await load(lines);
    expect(result.imported + result.updated).toBe(expected.result.imported + expected.result.updated);
    expect(rejected).toEqual(expected.rejected);
    expect(await state()).toBe('up');
    expect(await indexes()).toEqual(before);
    // No bitmap exists, and so no record need be marked for one.
    expect(await everythingStored(database)).toEqual({ ...(await everythingStored(plain)), marked: [] });
    expect(await search()).toEqual(await searchRecords(plain, { query: { clauses: [{ eventType: 'birth' }] } }));
  });

  it('keeps the last line of an event, also behind a line that is too long for a batch', async () => {
    const [twice] = someRecords(1);
    const lines = [
      'x'.repeat(2_200_000),
      { ...twice, flags: ['incomplete'] },
      ...someRecords(1_199),
      { ...twice, flags: [] },
      ...someRecords(300),
    ];
    const source = (): Readable => ndjson(lines, MIB);
    await importRecords(plain, WITHOUT_FORMS, source());
    const creations = (): Creations => here({ count: 0 });
    const loading = () => importRecords(database, WITHOUT_FORMS, source(), { isInitial: true, creations });
    await initialLoad(database, loading, () => undefined);
    expect(await everythingStored(database)).toEqual({ ...(await everythingStored(plain)), marked: [] });
  });

  it('is no occasion for demonstration records', async () => {
    const providers = [
      { provide: Database, useValue: database },
      { provide: SystemClients, useValue: {} },
    ];
    const services = await NestFactory.createApplicationContext({ module: class {}, providers });
    const begun = Promise.reject(new Error('stopped'));
    await expect(
      initialLoad(
        database,
        () => begun,
        () => undefined,
      ),
    ).rejects.toThrow('stopped');
    const config = { DEMO_RECORDS: 10, DATA_DIR: await scratchDirectory('matricula-demonstration-') };
    expect([await prepareDemonstration(services, config), await readdir(config.DATA_DIR)]).toEqual([undefined, []]);
    await rm(config.DATA_DIR, { recursive: true });
    await services.close();
    await load([]);
  });

  it('that was interrupted lets no migration change what it makes again', async () => {
    const stopped = () => Promise.reject(new Error('stopped'));
    await expect(initialLoad(database, stopped, () => undefined)).rejects.toThrow('stopped');
    const { dataSource } = tests[1];
    const last = sql`select id, timestamp, name from migration order by id desc limit 1`;
    const [migration] = await database.query<{ id: number; timestamp: string; name: string }>(last);
    await database.query(sql`delete from migration where id = ${migration?.id}`);
    await expect(migrate(dataSource)).rejects.toThrow('end it with the release that began it');
    await database.query(sql`
      insert into migration select * from json_populate_record(null::migration, ${JSON.stringify(migration)}::json)`);
    expect(await migrate(dataSource)).toEqual([]);
    await load([]);
  });

  it('is refused where there are records that it did not bring, and changes nothing', async () => {
    await storeRecords(database, someRecords(1));
    const before = await indexes();
    await expect(load(someRecords(1))).rejects.toThrow('There are records that no initial load has brought');
    expect({ state: await state(), indexes: await indexes() }).toEqual({ state: 'up', indexes: before });
  });

  it('is refused while another one runs', async () => {
    await initialLoad(
      database,
      () => {
        const another = initialLoad(
          database,
          () => Promise.resolve(),
          () => undefined,
          0,
        );
        return expect(another).rejects.toThrow('Another initial load is running.');
      },
      () => undefined,
    );
    expect(await state()).toBe('up');
  });

  it('that a release with another version has begun is not gone on with', async () => {
    const stopped = () => Promise.reject(new Error('stopped'));
    await expect(initialLoad(database, stopped, () => undefined)).rejects.toThrow('stopped');
    await database.query(sql`update initial_load set version = version - 1`);
    await expect(load([])).rejects.toThrow('a release that derives something else');
    await database.query(sql`update initial_load set version = version + 1`);
    expect((await load([])).result).toEqual(whole);
    expect(await state()).toBe('up');
  });
});

it('parameters in binary arrive as they are', async () => {
  const texts = ['', 'a', 'ä€𝄞', '{"x\\y", NULL}', null, 'null', 'x'.repeat(70_000)];
  const statement = sql`
    select ${texts}::text[] as texts, ${[1n, -(2n ** 63n)]}::bigint[] as numbers, ${[true, false]}::boolean[] as flags,
           ${[]}::uuid[] as none, ${'ö'.repeat(2_000)}::text as long, ${5}::int as few, ${texts}::text[] as again`;
  expect(await database.query(asSql(inBinary(statement.toQuery())))).toEqual(await database.query(statement));
});
