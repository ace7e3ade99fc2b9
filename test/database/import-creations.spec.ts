import type { Database } from '../../src/database/pools/database.js';
import { WITHOUT_FORMS } from '../../src/domain/event-configuration/event-configuration.js';
import type { Creations } from '../../src/intake/import/creations/creation.js';
import { CreationMaker } from '../../src/intake/import/creations/creation-maker.js';
import { asSql, inBinary } from '../../src/sql/binary-params.js';
import { sql } from '../../src/sql/sql.js';
import { aRecord } from '../support/builders/a-record.js';
import { anEventDocument } from '../support/builders/an-event-document.js';
import { everythingStored } from '../support/everything-stored.js';
import { runImport, someRecords } from '../support/imports.js';
import type { TestDatabase } from '../support/postgres.js';
import { createTestDatabase } from '../support/postgres.js';

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
    const [again, taken] = [someRecords(1), someRecords(1)].flat();
    const lines = [
      ...first,
      ...Array.from({ length: 600 }, () => anEventDocument()),
      '{"id":',
      aRecord({ trackingId: first[5]?.trackingId ?? '' }),
      ...someRecords(700),
      // Known ones, one of them with other content.
      ...existing.map((record) => ({ ...record, status: 'ARCHIVED' })),
      again,
      ...someRecords(600),
      { ...again, flags: ['incomplete'] },
      taken,
      aRecord({ trackingId: taken?.trackingId ?? '' }),
      ...someRecords(5_000),
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

it('parameters in binary arrive as they are', async () => {
  const texts = ['', 'a', 'ä€𝄞', '{"x\\y", NULL}', null, 'null', 'x'.repeat(70_000)];
  const statement = sql`
    select ${texts}::text[] as texts, ${[1n, -(2n ** 63n)]}::bigint[] as numbers, ${[true, false]}::boolean[] as flags,
           ${[]}::uuid[] as none, ${'ö'.repeat(2_000)}::text as long, ${5}::int as few, ${texts}::text[] as again`;
  expect(await database.query(asSql(inBinary(statement.toQuery())))).toEqual(await database.query(statement));
});
