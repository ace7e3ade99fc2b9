import { readFile } from 'node:fs/promises';
import type { CalendarDate } from '../../src/kernel/domain/calendar.js';
import { ChangeFeed } from '../../src/platform/database/connection/change-feed.js';
import { PlaceImport } from '../../src/events/places/place-import.js';
import type { Uuid } from '../../src/kernel/domain/uuid.js';
import { HierarchyCache, KnownPlaces, readKnownPlaces } from '../../src/auth/locations/hierarchy-cache.js';
import { importLocations } from '../../src/auth/locations/import-locations.js';
import { readPlaces, readVersionedPlaces } from '../../src/auth/locations/place-versions.js';
import { sql } from '../../src/kernel/sql/sql.js';
import { aUuid } from '../support/builders/a-uuid.js';
import { eventually } from '../support/eventually.js';
import { runImport } from '../support/imports.js';
import { createTestDatabase, type TestDatabase } from '../support/postgres.js';

const PROVINCE = aUuid(1);
const DISTRICT = aUuid(2);
const OFFICE = aUuid(3);
/** The province of the example. */
const CENTRAL = '1a111111-1111-4111-8111-111111111111';

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
  await eventually('it is heard of', () => cache.below(id).length === below.length);
  expect(cache.below(id)).toEqual(below);
}

const importPlaces = (file: unknown, today = '2026-07-01') =>
  importLocations(test.database, file, today as CalendarDate);

/** The versions of the office: day, name and external id of each. */
async function officeVersions(): Promise<readonly (string | null)[][]> {
  const [office] = await readVersionedPlaces(test.database, sql`p.id = ${OFFICE}`);
  return (office?.versions ?? []).map(({ effectiveFrom, name, externalId }) => [effectiveFrom, name, externalId]);
}
const officeAs = (name: string, externalId?: string) => ({ locations: [{ id: OFFICE, name, externalId }] });

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

describe('an import over places that are known', () => {
  it('has a new place as it always was', async () => {
    await importPlaces(FILE);
    expect(await officeVersions()).toEqual([['0001-01-01', 'Office', null]]);
  });

  it('changes a name from today on, and what is the same not at all', async () => {
    await importPlaces(FILE);
    await importPlaces(officeAs('New office', 'X'));
    const renamed = [
      ['0001-01-01', 'Office', null],
      ['2026-07-01', 'New office', 'X'],
    ];
    expect(await officeVersions()).toEqual(renamed);
    await importPlaces(officeAs('New office'), '2026-07-02');
    expect(await officeVersions()).toEqual(renamed);
  });

  it('replaces what an import of the same day has written, and leaves what is scheduled', async () => {
    await importPlaces(FILE);
    await test.database.query(sql`
      insert into place_version (version_id, place, effective_from, name) values (${aUuid(7)}, ${OFFICE}, '2030-01-01', 'Later')`);
    await importPlaces(officeAs('New ofice'));
    await importPlaces(officeAs('New office'));
    expect(await officeVersions()).toEqual([
      ['0001-01-01', 'Office', null],
      ['2026-07-01', 'New office', null],
      ['2030-01-01', 'Later', null],
    ]);
  });

  it('is refused where two active places would have one external id, and tells which', async () => {
    await importPlaces({ locations: [{ id: aUuid(8), name: 'Clinic', externalId: 'X' }] });
    const faulty = importPlaces({
      administrativeAreas: [{ id: PROVINCE, name: 'Province', externalId: 'X' }],
      locations: [
        { id: OFFICE, name: 'Office', externalId: 'X' },
        { id: DISTRICT, name: 'Another', externalId: 'Y' },
      ],
    });
    await expect(faulty).rejects.toMatchObject({
      code: 'BAD_REQUEST',
      issues: [{ message: 'locations[0].externalId: another active place of its kind has X' }],
    });
    await importPlaces({
      locations: [
        { id: OFFICE, name: 'Office', externalId: 'X' },
        { id: aUuid(8), name: 'Clinic', externalId: null },
      ],
    });
    expect(await officeVersions()).toEqual([['0001-01-01', 'Office', 'X']]);
  });

  it('gives a place that another process added without a version one of its own', async () => {
    await test.database.query(sql`insert into place (id, kind, name) values (${OFFICE}, 'location', 'Office')`);
    expect(await officeVersions()).toEqual([['0001-01-01', 'Office', null]]);
  });

  it('is an act in the audit log', async () => {
    await importPlaces(FILE);
    const [row] = await test.database.query<object>(sql`
      select client_id, operation, request_data from audit_log order by created_at desc limit 1`);
    expect(row).toEqual({
      client_id: 'cli',
      operation: 'locations.import',
      request_data: { administrativeAreas: 2, locations: 1 },
    });
  });
});

it('the example files are imported as docs/reference/places.md says, and the record lies within the area', async () => {
  const example = (name: string) => readFile(`examples/${name}`, 'utf8');
  expect(await importPlaces(JSON.parse(await example('locations.json')))).toEqual({
    administrativeAreas: 2,
    locations: 2,
  });
  const lines = (await example('record.ndjson')).trimEnd().split('\n');
  const { result } = await runImport(
    test.database,
    lines.map((line) => JSON.parse(line) as unknown),
  );
  expect(result).toMatchObject({ imported: lines.length, rejected: 0 });
  const cache = await aCache();
  const named = await test.database.query<{ place: string }>(
    sql`select updated_at_location as place from event_search`,
  );
  expect(named.map(({ place }) => [cache.isLocation(place), cache.isWithin(place, CENTRAL)])).toEqual([[true, true]]);
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
    expect(await new PlaceImport(test.database, cache, { TIMEZONE: 'UTC' }).import(FILE)).toEqual({
      administrativeAreas: 2,
      locations: 1,
    });
    expect(cache.below(PROVINCE)).toEqual([PROVINCE, DISTRICT, OFFICE]);
  });

  it('forgets places that are gone, and has the versions of the others', async () => {
    await importPlaces(FILE);
    const cache = await aCache();
    await test.database.query(sql`delete from place where id = ${OFFICE}`);
    await importPlaces({ administrativeAreas: [{ id: DISTRICT, name: 'New district', partOf: PROVINCE }] });
    await cache.refresh();
    expect(cache.below(PROVINCE)).toEqual([PROVINCE, DISTRICT]);
    expect(cache.isLocation(OFFICE)).toBe(false);
    expect(
      cache.places.list('administrativeArea').map(({ id, versions }) => [id, versions.map(({ name }) => name)]),
    ).toEqual([
      [PROVINCE, ['Province']],
      [DISTRICT, ['District', 'New district']],
    ]);
  });

  it('follows what another process imports', async () => {
    const [cache, other] = [await aCache(), await aCache()];
    await new PlaceImport(test.database, cache, { TIMEZONE: 'UTC' }).import(FILE);
    await shows(other, PROVINCE, [PROVINCE, DISTRICT, OFFICE]);
    await new PlaceImport(test.database, other, { TIMEZONE: 'UTC' }).import({
      administrativeAreas: [{ id: DISTRICT, name: 'District', partOf: null }],
    });
    await shows(cache, PROVINCE, [PROVINCE]);
  });
});

it('a place that has moved is where it is now, also if the reading that found it there failed at its end', async () => {
  await importPlaces(FILE);
  const known = await readKnownPlaces(test.database, new KnownPlaces(new Map()));
  await importPlaces({ administrativeAreas: [{ id: DISTRICT, name: 'District', partOf: '0' }] });
  const snapshot = test.database.snapshot.bind(test.database);
  jest.spyOn(test.database, 'snapshot').mockImplementationOnce(async (work) => {
    await snapshot(work);
    throw new Error('the connection was lost');
  });
  await expect(readKnownPlaces(test.database, known)).rejects.toThrow('the connection was lost');
  const { hierarchy } = await readKnownPlaces(test.database, known);
  expect([hierarchy.below(PROVINCE), hierarchy.isWithin(OFFICE, PROVINCE)]).toEqual([[PROVINCE], false]);
});
