import fc from 'fast-check';
import pg from 'pg';
import { ADVISORY_LOCKS } from '../../src/platform/database/connection/advisory-locks.js';
import { ChangeFeed } from '../../src/platform/database/connection/change-feed.js';
import { applySessionSettings } from '../../src/platform/database/connection/session-settings.js';
import { areaTerm } from '../../src/events/index/areas/area-terms.js';
import { KnownAreas } from '../../src/events/index/areas/known-areas.js';
import { syncAreaTerms, writeAreaTerms } from '../../src/events/index/areas/write-area-terms.js';
import { buildBitmap } from '../../src/events/index/bitmaps/build-bitmaps.js';
import { foldDirty } from '../../src/events/index/bitmaps/write-bitmaps.js';
import type { Uuid } from '../../src/kernel/domain/uuid.js';
import { Hierarchy } from '../../src/auth/locations/hierarchy.js';
import { importLocations } from '../../src/auth/locations/import-locations.js';
import { readPlaces } from '../../src/auth/locations/place-versions.js';
import { reindex } from '../../src/events/reindex/reindex.js';
import { sql } from '../../src/kernel/sql/sql.js';
import { areasIn, COUNTRY, LAKE, NORTH, OFFICE, recordAt, SOUTH, WARD } from '../support/areas.js';
import { aUuid } from '../support/builders/a-uuid.js';
import { createTestDatabase, type TestDatabase } from '../support/postgres.js';
import { storeRecords } from '../support/store-records.js';
import { WITHOUT_FORMS } from '../support/without-forms.js';

let test: TestDatabase;
let areas: KnownAreas;
beforeEach(async () => {
  test = await createTestDatabase();
  areas = new KnownAreas(test.database, new ChangeFeed(test.database.primary, () => undefined));
});
afterEach(() => test.drop());

const { importPlaces, move, settle, settled, countWithin, countsWithin, trusted, areasOf, differences } = areasIn(
  () => ({ database: test.database, areas }),
);

describe('terms of areas', () => {
  it('are those of the two topmost areas around a place', async () => {
    await importPlaces(COUNTRY);
    const records = [recordAt(OFFICE), recordAt(LAKE), recordAt(SOUTH), recordAt(aUuid(9))];
    await storeRecords(test.database, records);
    expect(await Promise.all(records.map(areasOf))).toEqual([[NORTH, LAKE], [NORTH, LAKE], [SOUTH], []]);
    expect(await differences()).toEqual([]);
  });

  it('are trusted once they are settled, and find what columns found before', async () => {
    await importPlaces(COUNTRY);
    await storeRecords(test.database, [recordAt(OFFICE), recordAt(LAKE), recordAt(SOUTH)]);
    expect(await trusted(NORTH, SOUTH, LAKE, WARD)).toEqual([]);
    expect(await countsWithin(NORTH, SOUTH, LAKE, WARD)).toEqual([2, 1, 2, 1]);
    await settled();
    expect(await trusted(NORTH, SOUTH, LAKE, WARD)).toEqual([NORTH, SOUTH, LAKE]);
    expect(await countsWithin(NORTH, SOUTH, LAKE, WARD)).toEqual([2, 1, 2, 1]);
  });

  it('come to records that were there before their places', async () => {
    const record = recordAt(OFFICE);
    await storeRecords(test.database, [record]);
    await importPlaces(COUNTRY);
    await areas.refresh();
    expect([await countWithin(NORTH), await areasOf(record), await differences()]).toEqual([1, [], []]);
    await settled();
    expect([await trusted(NORTH), await countWithin(NORTH), await areasOf(record)]).toEqual([
      [NORTH],
      1,
      [NORTH, LAKE],
    ]);
    expect(await differences()).toEqual([]);
  });

  it('follow an area that moves, and no search is wrong meanwhile', async () => {
    await importPlaces(COUNTRY);
    const record = recordAt(OFFICE);
    await storeRecords(test.database, [record, recordAt(SOUTH)]);
    await settled();
    expect(await trusted(NORTH, SOUTH)).toEqual([NORTH, SOUTH]);
    await test.database.transaction(async (transaction) => {
      for (const area of [NORTH, SOUTH]) await buildBitmap(transaction, areaTerm('updated_at_location', area).hash);
      await buildBitmap(transaction, 0n);
      await foldDirty(transaction, 1_000);
    });

    await move(LAKE, SOUTH);
    // A process that does not know of it yet asks for the terms, and learns in the same snapshot that they are in
    // doubt.
    expect(await countsWithin(NORTH, SOUTH, LAKE)).toEqual([0, 2, 1]);
    expect(await differences()).toEqual([]);
    expect(await trusted(NORTH, SOUTH, LAKE)).toEqual([LAKE]);
    expect(await countsWithin(NORTH, SOUTH, LAKE)).toEqual([0, 2, 1]);

    await settled();
    expect(await areasOf(record)).toEqual([SOUTH, LAKE]);
    expect(await countsWithin(NORTH, SOUTH, LAKE)).toEqual([0, 2, 1]);
    // Nothing names the north any more.
    expect(await trusted(NORTH, SOUTH, LAKE)).toEqual([NORTH, SOUTH, LAKE]);
    await test.database.transaction((transaction) => foldDirty(transaction, 1_000));
    expect(await differences()).toEqual([]);
  });

  it('that no place has any more stay in doubt', async () => {
    await importPlaces(COUNTRY);
    await storeRecords(test.database, [recordAt(OFFICE)]);
    await settled();
    await areas.refresh();
    await importPlaces({ administrativeAreas: [{ id: aUuid(6), name: 'Country', partOf: null }] });
    await move(NORTH, aUuid(6));
    // The lake is on the third level now. One who has not heard of that asks for its term after it has gone.
    await settled();
    expect(await countsWithin(aUuid(6), NORTH, LAKE)).toEqual([1, 1, 1]);
    expect(await trusted(aUuid(6), NORTH, LAKE)).toEqual([aUuid(6), NORTH]);
    expect(await differences()).toEqual([]);
  });

  it('are trusted again when a place has them again', async () => {
    await importPlaces(COUNTRY);
    const record = recordAt(OFFICE);
    await storeRecords(test.database, [record]);
    await settled();
    await importPlaces({ administrativeAreas: [{ id: aUuid(6), name: 'Country', partOf: null }] });
    await move(NORTH, aUuid(6));
    await settled();
    expect([await trusted(LAKE), await differences()]).toEqual([[], []]);
    await storeRecords(test.database, [recordAt(WARD)]);
    await move(NORTH, null);
    await settled();
    expect([await trusted(NORTH, LAKE), await countsWithin(NORTH, LAKE)]).toEqual([
      [NORTH, LAKE],
      [2, 2],
    ]);
    expect([await areasOf(record), await differences()]).toEqual([[NORTH, LAKE], []]);
  });

  describe('wait for a writer who took them before the area moved', () => {
    let writer: pg.Client;
    const record = recordAt(OFFICE);

    beforeEach(async () => {
      await importPlaces(COUNTRY);
      await settled();
      writer = new pg.Client(test.url);
      await writer.connect();
      await applySessionSettings(writer);
    });
    afterEach(() => writer.end());

    const take = async (): Promise<void> => {
      await writer.query('begin');
      await writer.query('create temporary table taken as select * from area_term');
    };

    /** What the writer took before, it writes after. */
    const write = async (): Promise<void> => {
      await writer.query(
        `with stored as (
           insert into event (id, type, tracking_id, created_at, updated_at)
           values ($1, 'birth', $2, now(), now()) returning seq, id)
         insert into event_search (seq, id, type, status, tracking_id, created_at, created_by, updated_at, flags,
                                   updated_at_location, terms)
         select seq, id, 'birth', 'DECLARED', $2, now(), 'someone', now(), '{}', $3,
                (select updated_at_location from taken where place = $3) from stored`,
        [record.id, record.trackingId, OFFICE],
      );
      await writer.query('commit');
    };

    it.each([
      ['began before', () => take().then(() => move(LAKE, SOUTH))],
      [
        // Its number is above that of the import, and above all that have completed when the import has.
        'began while the import wrote',
        () =>
          importLocations(
            test.database,
            { administrativeAreas: [{ id: LAKE, name: 'Moved', partOf: SOUTH }] },
            async (transaction) => {
              await writeAreaTerms(transaction);
              await take();
            },
          ),
      ],
    ])('and who %s', async (_, takeAndMove) => {
      await takeAndMove();
      expect(await settle()).toBe(false);
      await write();
      expect(await areasOf(record)).toEqual([NORTH, LAKE]);
      await settled();
      expect(await areasOf(record)).toEqual([SOUTH, LAKE]);
    });
  });

  it('stay in doubt while a reindex runs, which may have derived rows before', async () => {
    await importPlaces(COUNTRY);
    await storeRecords(test.database, [recordAt(OFFICE)]);
    const other = new pg.Client(test.url);
    await other.connect();
    try {
      await other.query('select pg_advisory_lock($1)', [ADVISORY_LOCKS.reindex]);
      expect(await settle()).toBe(false);
      expect(await trusted(NORTH)).toEqual([]);
    } finally {
      await other.end();
    }
    await reindex(test.database, WITHOUT_FORMS);
    await settled();
    expect(await trusted(NORTH)).toEqual([NORTH]);
    expect(await differences()).toEqual([]);
  });

  it('are written for places that were there before, and missed until then', async () => {
    await importLocations(test.database, COUNTRY, () => Promise.resolve());
    const record = recordAt(OFFICE);
    await storeRecords(test.database, [record]);
    const places = [NORTH, SOUTH, LAKE, WARD, OFFICE].map((id) => `place ${id}`);
    expect(await differences()).toEqual([
      { kind: 'area_term', count: 5, events: expect.arrayContaining(places) as unknown },
    ]);
    await syncAreaTerms(test.database);
    await settled();
    expect([await areasOf(record), await differences()]).toEqual([[NORTH, LAKE], []]);
  });

  it('find what the columns do, whatever is moved, written and settled in whichever order', async () => {
    const ids = Array.from({ length: 6 }, (_, at) => aUuid(0x10 + at));
    const anId = fc.constantFrom(...ids);
    const aStep = fc.oneof(
      fc.record({ step: fc.constant('move' as const), area: anId, partOf: fc.option(anId) }),
      fc.record({ step: fc.constant('write' as const), place: anId }),
      fc.constant({ step: 'settle' as const }),
      fc.constant({ step: 'hear' as const }),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(aStep, { minLength: 10, maxLength: 25 }), async (steps) => {
        await test.database.query(sql`truncate event, place, area_term, term, term_doubt cascade`);
        await areas.refresh();
        const written: Uuid[] = [];
        for (const step of steps) {
          if (step.step === 'write') {
            written.push(step.place);
            await storeRecords(test.database, [recordAt(step.place)]);
          }
          // A loop is refused.
          if (step.step === 'move') await move(step.area, step.partOf).catch(() => undefined);
          if (step.step === 'settle') await settled();
          if (step.step === 'hear') await areas.refresh();
          const hierarchy = new Hierarchy(await readPlaces(test.database));
          expect(await countsWithin(...ids)).toEqual(
            ids.map((id) => written.filter((place) => hierarchy.below(id).includes(place)).length),
          );
        }
        expect(await differences()).toEqual([]);
      }),
      { numRuns: 4, endOnFailure: true },
    );
  });
});
