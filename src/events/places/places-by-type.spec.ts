import { aUuid } from '../../../test/support/builders/a-uuid.js';
import { aVersion, aVersionedPlace } from '../../../test/support/builders/a-versioned-place.js';
import type { VersionedPlace } from '../../kernel/domain/location.js';
import { KnownPlaces } from '../../auth/locations/hierarchy-cache.js';
import { PlaceLists } from './place-lists.js';
import { PlacesByType } from './places-by-type.js';

const [OFFICE, CLOSED, AREA, OTHER] = [aUuid(1), aUuid(2), aUuid(3), aUuid(4)];

const office = aVersionedPlace({ id: OFFICE });
const closed = aVersionedPlace({
  id: CLOSED,
  versions: [aVersion({ name: 'Closed' }), aVersion({ effectiveFrom: '2026-09-01', status: 'inactive' })],
});
const area = aVersionedPlace({ id: AREA, kind: 'administrativeArea', locationType: null });
const other = aVersionedPlace({ id: OTHER, locationType: null });

const stateAt = (revision: string) => ({ incarnation: 'a', revision });
const known = (...places: VersionedPlace[]) => new Map(places.map((place) => [place.id, place]));
const cache = {
  places: new KnownPlaces(known(office, closed, area, other), stateAt('1')),
  current: () => Promise.resolve(),
};
const byType = new PlacesByType(new PlaceLists(cache, { TIMEZONE: 'UTC' }));

afterEach(() => jest.useRealTimers());
const at = (instant: string) => jest.useFakeTimers({ now: new Date(instant) });
const idsOf = async (filter: Parameters<PlacesByType['find']>[0]): Promise<unknown[]> =>
  (await byType.find(filter)).places.map(({ id }) => id);

describe('places by type', () => {
  it('are those of a type, with a status, with both, or all of them, areas first', async () => {
    at('2026-08-31T00:00:00Z');
    expect([
      await idsOf({}),
      await idsOf({ type: 'CRVS_OFFICE' }),
      await idsOf({ type: 'ADMIN_STRUCTURE' }),
      await idsOf({ type: 'OTHER' }),
      await idsOf({ type: 'NONE' }),
      await idsOf({ type: '' }),
      await idsOf({ status: 'inactive' }),
      await idsOf({ status: 'active', type: 'CRVS_OFFICE' }),
    ]).toEqual([[AREA, OFFICE, CLOSED, OTHER], [OFFICE, CLOSED], [AREA], [OTHER], [], [], [], [OFFICE, CLOSED]]);
  });

  it('are sorted out once, and again on a new day and after a change', async () => {
    at('2026-08-31T00:00:00Z');
    const before = (await byType.find({ status: 'active' })).places;
    expect((await byType.find({ status: 'active' })).places).toBe(before);
    at('2026-09-01T00:00:00Z');
    expect(await idsOf({ status: 'inactive' })).toEqual([CLOSED]);
    cache.places = cache.places.with([aVersionedPlace({ id: aUuid(5) })], stateAt('2'));
    expect(await idsOf({ type: 'CRVS_OFFICE' })).toEqual([OFFICE, CLOSED, aUuid(5)]);
  });

  it('are of one moment, so that no two lists have one state, if an area comes meanwhile', async () => {
    at('2026-09-02T00:00:00Z');
    const added = aVersionedPlace({ id: aUuid(6), kind: 'administrativeArea', locationType: null });
    let reads = 0;
    const changing = {
      places: new KnownPlaces(known(area), stateAt('1')),
      // As where a process cannot follow changes, and asks the database at each call.
      current: () => {
        reads += 1;
        if (reads === 2) changing.places = changing.places.with([added], stateAt('2'));
        return Promise.resolve();
      },
    };
    const sortedOut = new PlacesByType(new PlaceLists(changing, { TIMEZONE: 'UTC' }));
    const found = [await sortedOut.find({}), await sortedOut.find({})];
    expect(found.map(({ places, state }) => [places, state])).toEqual([
      [[area], 'a 1 2026-09-02'],
      [[area, added], 'a 2 2026-09-02'],
    ]);
  });
});
