import { setTimeout as sleep } from 'node:timers/promises';

import { ChangeFeed } from '../../src/database/connection/change-feed.js';
import { PlaceImport } from '../../src/derived/areas/place-import.js';
import type { Uuid } from '../../src/domain/uuid.js';
import { HierarchyCache } from '../../src/locations/hierarchy-cache.js';
import { importLocations } from '../../src/locations/import-locations.js';
import { readPlaces } from '../../src/locations/read-places.js';
import { sql } from '../../src/sql/sql.js';
import { aUuid } from '../support/builders/a-uuid.js';
import type { TestDatabase } from '../support/postgres.js';
import { createTestDatabase } from '../support/postgres.js';

const PROVINCE = aUuid(1);
const DISTRICT = aUuid(2);
const OFFICE = aUuid(3);

const FILE = {
  administrativeAreas: [
    { id: DISTRICT, name: 'District', partOf: `Location/${PROVINCE}` },
    { id: PROVINCE, name: 'Province', partOf: '0' },
  ],
  locations: [{ id: OFFICE, name: 'Office', partOf: DISTRICT, locationType: 'CRVS_OFFICE' }],
};

let test: TestDatabase;
const feeds: ChangeFeed[] = [];

beforeAll(async () => {
  test = await createTestDatabase();
});

beforeEach(() => test.database.query(sql`delete from place`));

afterAll(async () => {
  for (const feed of feeds) await feed.stop();
  await test.drop();
});

/** The cache of a process of its own. */
async function aCache(): Promise<HierarchyCache> {
  const feed = new ChangeFeed(test.database.primary, () => undefined);
  const cache = new HierarchyCache(test.database, feed);
  await feed.start();
  feeds.push(feed);
  return cache;
}

async function shows(cache: HierarchyCache, id: Uuid, below: readonly Uuid[]): Promise<void> {
  for (let tries = 0; tries < 100 && cache.below(id).length !== below.length; tries++) await sleep(20);
  expect(cache.below(id)).toEqual(below);
}

const importPlaces = (file: unknown) => importLocations(test.database, file, () => Promise.resolve());

const places = async () => (await readPlaces(test.database)).toSorted((a, b) => (a.id < b.id ? -1 : 1));

describe('importing locations', () => {
  it('writes every place', async () => {
    expect(await importPlaces(FILE)).toEqual({ administrativeAreas: 2, locations: 1 });
    expect(await places()).toEqual([
      { id: PROVINCE, kind: 'administrativeArea', name: 'Province', partOf: null, locationType: null },
      { id: DISTRICT, kind: 'administrativeArea', name: 'District', partOf: PROVINCE, locationType: null },
      { id: OFFICE, kind: 'location', name: 'Office', partOf: DISTRICT, locationType: 'CRVS_OFFICE' },
    ]);
  });

  it('changes places by their ids, and leaves those that the file does not name', async () => {
    await importPlaces(FILE);
    await importPlaces({
      locations: [{ id: OFFICE, name: 'New office', partOf: PROVINCE }],
    });
    expect(await places()).toEqual([
      { id: PROVINCE, kind: 'administrativeArea', name: 'Province', partOf: null, locationType: null },
      { id: DISTRICT, kind: 'administrativeArea', name: 'District', partOf: PROVINCE, locationType: null },
      { id: OFFICE, kind: 'location', name: 'New office', partOf: PROVINCE, locationType: null },
    ]);
  });

  it('writes nothing of a file with a fault, in what it says or in what it makes of what is there', async () => {
    await importPlaces(FILE);
    const before = await places();
    await expect(
      importPlaces({
        administrativeAreas: [
          { id: PROVINCE, name: 'Changed', partOf: DISTRICT },
          { id: aUuid(9), name: 'New', partOf: null },
        ],
      }),
    ).rejects.toMatchObject({
      code: 'BAD_REQUEST',
      issues: [
        {
          message: `administrativeAreas[0].partOf: leads into a loop: ${PROVINCE} is part of ${DISTRICT} is part of ${PROVINCE}`,
        },
      ],
    });
    expect(await places()).toEqual(before);
  });

  it('lets only one of two files through that make a loop together', async () => {
    await importPlaces(FILE);
    const other = aUuid(4);
    await importPlaces({ administrativeAreas: [{ id: other, name: 'Other', partOf: null }] });
    const outcomes = await Promise.allSettled([
      importPlaces({ administrativeAreas: [{ id: PROVINCE, name: 'Province', partOf: other }] }),
      importPlaces({ administrativeAreas: [{ id: other, name: 'Other', partOf: DISTRICT }] }),
    ]);
    expect(outcomes.map((outcome) => outcome.status).toSorted()).toEqual(['fulfilled', 'rejected']);
  });
});

describe('the hierarchy in memory', () => {
  it('is read when the change feed starts', async () => {
    await importPlaces(FILE);
    const cache = await aCache();
    expect(cache.below(PROVINCE)).toEqual([PROVINCE, DISTRICT, OFFICE]);
    expect(cache.ancestors(OFFICE)).toEqual([DISTRICT, PROVINCE]);
  });

  it('is the new one as soon as an import in the same process is done (S-14)', async () => {
    const cache = await aCache();
    expect(cache.below(PROVINCE)).toEqual([]);
    expect(await new PlaceImport(test.database, cache).import(FILE)).toEqual({ administrativeAreas: 2, locations: 1 });
    expect(cache.below(PROVINCE)).toEqual([PROVINCE, DISTRICT, OFFICE]);
  });

  it('follows what another process imports', async () => {
    const [cache, other] = [await aCache(), await aCache()];
    await new PlaceImport(test.database, cache).import(FILE);
    await shows(other, PROVINCE, [PROVINCE, DISTRICT, OFFICE]);
    await new PlaceImport(test.database, other).import({
      administrativeAreas: [{ id: DISTRICT, name: 'District', partOf: null }],
    });
    await shows(cache, PROVINCE, [PROVINCE]);
  });
});
