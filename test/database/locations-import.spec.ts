import { ChangeFeed } from '../../src/database/change-feed.js';
import { ServiceError } from '../../src/errors/service-error.js';
import { HierarchyCache } from '../../src/locations/hierarchy-cache.js';
import { sql } from '../../src/sql/sql.js';
import type { TestDatabase } from '../support/postgres.js';
import { createTestDatabase } from '../support/postgres.js';

const uuid = (number: number): string => `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`;
const area = (id: number, partOf: unknown): object => ({ id: uuid(id), name: `Area ${id}`, partOf });
const office = (id: number, partOf: unknown): object => ({ ...area(id, partOf), locationType: 'CRVS_OFFICE' });

let test: TestDatabase;
let here: HierarchyCache;

beforeEach(async () => {
  test = await createTestDatabase();
  here = new HierarchyCache(test.database, new ChangeFeed(test.url, () => undefined));
});

afterEach(() => test.drop());

const faultsOf = async (file: unknown): Promise<readonly string[]> => {
  try {
    await here.import(file);
    return [];
  } catch (error) {
    if (error instanceof ServiceError) return error.issues.map(({ message }) => message);
    throw error;
  }
};

const stored = (): Promise<unknown[]> =>
  test.database.query(sql`select id, kind, name, part_of, location_type from place order by id`);

describe('importing locations', () => {
  it('takes every spelling of a parent and of the top', async () => {
    const imported = await here.import({
      administrativeAreas: [
        area(1, '0'),
        area(2, null),
        { id: uuid(3), name: 'Area 3' },
        area(4, `Location/${uuid(1)}`),
      ],
      locations: [office(5, uuid(4))],
    });
    expect(imported).toEqual({ administrativeAreas: 4, locations: 1 });
    expect(await stored()).toEqual([
      { id: uuid(1), kind: 'administrativeArea', name: 'Area 1', part_of: null, location_type: null },
      { id: uuid(2), kind: 'administrativeArea', name: 'Area 2', part_of: null, location_type: null },
      { id: uuid(3), kind: 'administrativeArea', name: 'Area 3', part_of: null, location_type: null },
      { id: uuid(4), kind: 'administrativeArea', name: 'Area 4', part_of: uuid(1), location_type: null },
      { id: uuid(5), kind: 'location', name: 'Area 5', part_of: uuid(4), location_type: 'CRVS_OFFICE' },
    ]);
  });

  it('puts a file over what is stored by id, and is seen by the next look here', async () => {
    await here.import({ administrativeAreas: [area(1, null), area(2, null)], locations: [office(3, uuid(1))] });
    expect([here.below(uuid(1)), here.below(uuid(2))]).toEqual([[uuid(1), uuid(3)], [uuid(2)]]);
    await here.import({ locations: [{ id: uuid(3), name: 'Moved', partOf: uuid(2), locationType: null }] });
    expect([here.below(uuid(1)), here.below(uuid(2))]).toEqual([[uuid(1)], [uuid(2), uuid(3)]]);
  });

  it('is followed by other processes', async () => {
    const feed = new ChangeFeed(test.url, () => undefined);
    const there = new HierarchyCache(test.database, feed);
    await feed.start();
    try {
      await here.import({ administrativeAreas: [area(1, null)] });
      for (let wait = 0; wait < 200 && there.below(uuid(1)).length === 0; wait += 1) {
        await new Promise((resolve) => setTimeout(resolve, 10));
      }
      expect(there.below(uuid(1))).toEqual([uuid(1)]);
    } finally {
      await feed.stop();
    }
  });

  it('names every fault of shape at once, and stores nothing of the file', async () => {
    const faults = await faultsOf({
      administrativeAreas: [
        area(1, null),
        { id: 'x', name: '', partOf: 7, alias: 'a' },
        'area',
        { ...area(1, null), name: 'again' },
      ],
      locations: {},
      places: [],
    });
    expect(faults).toEqual([
      'places: unknown key; known are administrativeAreas, locations',
      'administrativeAreas[1].alias: unknown key; known are id, name, partOf',
      'administrativeAreas[1].id: must be a UUID',
      'administrativeAreas[1].name: must be text that is not empty',
      'administrativeAreas[1].partOf: must be a UUID, "Location/<UUID>", or "0" or null at the top',
      'administrativeAreas[2]: must be an object',
      'locations: must be an array',
      `administrativeAreas[3].id: ${uuid(1)} stands twice in the file`,
    ]);
    expect(await stored()).toEqual([]);
  });

  it.each([null, [], 'file', 3])('refuses %j, which is no file of locations', async (file) => {
    expect(await faultsOf(file)).toEqual(['body: must be an object with administrativeAreas and locations']);
  });

  it('names an unknown parent, a location as a parent, and a loop', async () => {
    expect(
      await faultsOf({
        administrativeAreas: [
          area(1, uuid(2)),
          area(2, uuid(3)),
          area(3, uuid(1)),
          area(4, uuid(9)),
          area(5, uuid(6)),
          area(7, uuid(7)),
        ],
        locations: [office(6, null)],
      }),
    ).toEqual([
      `administrativeAreas[3].partOf: ${uuid(9)} is neither in the file nor known already`,
      `administrativeAreas[4].partOf: ${uuid(6)} is a location, and cannot contain others`,
      `administrativeAreas[0].partOf: makes a loop: ${uuid(1)} → ${uuid(2)} → ${uuid(3)} → ${uuid(1)}`,
      `administrativeAreas[5].partOf: makes a loop: ${uuid(7)} → ${uuid(7)}`,
    ]);
    expect(await stored()).toEqual([]);
  });

  it('finds a loop that only arises together with what is stored', async () => {
    await here.import({ administrativeAreas: [area(1, null), area(2, uuid(1))] });
    expect(await faultsOf({ administrativeAreas: [area(1, uuid(2))] })).toEqual([
      `administrativeAreas[0].partOf: makes a loop: ${uuid(1)} → ${uuid(2)} → ${uuid(1)}`,
    ]);
    expect(await faultsOf({ locations: [office(1, null)] })).toEqual([
      `locations[0].id: ${uuid(1)} contains others already, and cannot become a location`,
    ]);
  });

  it('lets no loop through when two imports run at once', async () => {
    await here.import({ administrativeAreas: [area(1, null), area(2, null)] });
    const outcomes = await Promise.all([
      faultsOf({ administrativeAreas: [area(1, uuid(2))] }),
      faultsOf({ administrativeAreas: [area(2, uuid(1))] }),
    ]);
    expect(outcomes.filter((faults) => faults.length === 0)).toHaveLength(1);
  });
});
