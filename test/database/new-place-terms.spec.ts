import { settleAreaTerms, settleNewPlace } from '../../src/events/index/areas/settle-area-terms.js';
import { type Doubt, writeTermsOfNewPlace } from '../../src/events/index/areas/write-area-terms.js';
import type { Uuid } from '../../src/kernel/domain/uuid.js';
import { LOCK_PLACES } from '../../src/auth/locations/import-locations.js';
import { sql } from '../../src/kernel/sql/sql.js';
import { areasIn, COUNTRY, LAKE, NORTH, recordAt } from '../support/areas.js';
import { besideSwap } from '../support/beside-swap.js';
import { aUuid } from '../support/builders/a-uuid.js';
import { eventually } from '../support/eventually.js';
import { createTestDatabase, type TestDatabase } from '../support/postgres.js';
import { storeRecords } from '../support/store-records.js';

const CLINIC = aUuid(9);

let test: TestDatabase;
const { importPlaces, move, settled, differences } = areasIn(() => ({
  database: test.database,
  areas: undefined as never,
}));

beforeEach(async () => {
  test = await createTestDatabase();
  await importPlaces(COUNTRY);
  await settled();
});
afterEach(() => test.drop());

/** Adds the clinic in the lake district, as one transaction. */
const addClinic = (): Promise<readonly Doubt[]> =>
  test.database.transaction(async (transaction) => {
    await transaction.query(LOCK_PLACES);
    await transaction.query(
      sql`insert into place (id, kind, name, part_of) values (${CLINIC}, 'location', 'Clinic', ${LAKE})`,
    );
    return writeTermsOfNewPlace(transaction, CLINIC);
  });

/** Other tests write on the same server, and their transactions are waited for too. */
async function settles(place: Uuid, doubts: readonly Doubt[]): Promise<boolean> {
  await eventually('they have ended', () => settleNewPlace(test.database, place, doubts));
  return true;
}

const inDoubt = async (): Promise<number> =>
  (await test.database.query(sql`select hash from term_doubt where moved_by is not null`)).length;

describe('the terms of a place that is added', () => {
  it('are those that reading all places would find', async () => {
    await addClinic();
    expect(await differences()).toEqual([]);
  });

  it('are settled at once where no record names it', async () => {
    await storeRecords(test.database, [recordAt(NORTH)]);
    const doubts = await addClinic();
    expect(doubts.length).toBeGreaterThan(0);
    expect([await settles(CLINIC, doubts), await inDoubt()]).toEqual([true, 0]);
  });

  it('stay in doubt where records name it already, until those are corrected', async () => {
    await storeRecords(test.database, [recordAt(CLINIC)]);
    const doubts = await addClinic();
    expect(await settleNewPlace(test.database, CLINIC, doubts)).toBe(false);
    expect(await inDoubt()).toBe(doubts.length);
    while (!(await settleAreaTerms(test.database, { writersMs: 200 })));
    expect([await inDoubt(), await differences()]).toEqual([0, []]);
  });

  it('leave the doubts that others have raised', async () => {
    await importPlaces({ administrativeAreas: [{ id: LAKE, name: 'Lake', partOf: null }] });
    const before = await inDoubt();
    const doubts = await addClinic();
    await settles(CLINIC, doubts);
    expect(await inDoubt()).toBe(before);
  });
});

describe('the terms of a place that is moved', () => {
  it('are corrected without holding what a reindex needs while waiting for its swap', async () => {
    await storeRecords(test.database, [recordAt(LAKE)]);
    await move(LAKE, null);
    await besideSwap(test, settled);
    expect([await inDoubt(), await differences()]).toEqual([0, []]);
  });
});
