import { aUuid } from '../../../test/support/builders/a-uuid.js';
import { aVersion, aVersionedPlace } from '../../../test/support/builders/a-versioned-place.js';
import { Capacities } from '../../platform/queue/capacities.js';
import type { Caller } from '../../kernel/domain/scopes/caller.js';
import { Refusals } from '../../platform/queue/refusals.js';
import { KIB } from '../../kernel/domain/bytes.js';
import { KnownPlaces } from '../../auth/locations/hierarchy-cache.js';
import { PlaceAnswers } from './place-answers.js';
import { PlaceLists } from './place-lists.js';

const [OFFICE, CLINIC, AREA] = [aUuid(1), aUuid(2), aUuid(3)];

const places = new KnownPlaces(
  new Map(
    [
      aVersionedPlace({ id: CLINIC, locationType: 'HEALTH_FACILITY', versions: [aVersion({ name: 'Clinic' })] }),
      aVersionedPlace({
        id: OFFICE,
        versions: [
          aVersion({ name: 'Ibombo Office', externalId: 'X' }),
          aVersion({ effectiveFrom: '2026-09-01', name: 'Ibombo District Office', externalId: 'Y' }),
          aVersion({ effectiveFrom: '2027-01-01', name: 'Ibombo', status: 'inactive' }),
        ],
      }),
      aVersionedPlace({ id: AREA, kind: 'administrativeArea', locationType: null }),
    ].map((place) => [place.id, place]),
  ),
);
const cache = { places, current: () => Promise.resolve() };
const lists = new PlaceLists(cache, { TIMEZONE: 'Asia/Dhaka' });

afterEach(() => jest.useRealTimers());
const at = (instant: string) => jest.useFakeTimers({ now: new Date(instant), doNotFake: ['setImmediate', 'nextTick'] });

const namesAt = async (instant: string): Promise<unknown[]> => {
  at(instant);
  const { places: found } = await lists.page('location');
  return [...found].map((place) => lists.view(place)).map(({ name, status, externalId }) => [name, status, externalId]);
};

describe('the lists of places', () => {
  it('follow the calendar of TIMEZONE: a scheduled change takes effect at midnight there (L-2)', async () => {
    const clinic = ['Clinic', 'active', null];
    expect(await namesAt('2026-08-31T17:59:59Z')).toEqual([['Ibombo Office', 'active', 'X'], clinic]);
    expect(await namesAt('2026-08-31T18:00:00Z')).toEqual([['Ibombo District Office', 'active', 'Y'], clinic]);
    expect(await namesAt('2026-12-31T18:00:00Z')).toEqual([['Ibombo', 'inactive', null], clinic]);
  });

  it('are written anew for a new day', async () => {
    const textOf = async (instant: string): Promise<string | undefined> => {
      at(instant);
      const { places: found, today } = await lists.page('location', { ids: [OFFICE] });
      return [...found].map((place) => (JSON.parse(lists.textOf(place, today)) as { name: string }).name)[0];
    };
    expect([await textOf('2026-08-31T00:00:00Z'), await textOf('2026-09-02T00:00:00Z')]).toEqual([
      'Ibombo Office',
      'Ibombo District Office',
    ]);
  });

  it('are filtered by the version in effect, and paged by id', async () => {
    at('2026-10-01T00:00:00Z');
    const idsOf = async (filter: Parameters<PlaceLists['page']>[1]) => {
      const { places: found, next } = await lists.page('location', filter);
      return [[...found].map(({ id }) => id), next];
    };
    expect(await idsOf({ externalId: 'Y' })).toEqual([[OFFICE], undefined]);
    expect(await idsOf({ externalId: 'X' })).toEqual([[], undefined]);
    expect(await idsOf({ isActive: false })).toEqual([[], undefined]);
    expect(await idsOf({ limit: 1 })).toEqual([[OFFICE], OFFICE]);
    expect(await idsOf({ limit: 1, after: OFFICE })).toEqual([[CLINIC], undefined]);
    expect(await idsOf({ ids: [CLINIC, OFFICE, CLINIC, AREA], after: OFFICE })).toEqual([[CLINIC], undefined]);
  });
});

describe('a long list', () => {
  const many = Array.from({ length: 3_000 }, (_, at) => aVersionedPlace({ id: aUuid(at) }));
  const long = { places: new KnownPlaces(new Map(many.map((place) => [place.id, place]))), current: cache.current };
  const country = new PlaceLists(long, { TIMEZONE: 'Asia/Dhaka' });
  const answers = new PlaceAnswers(country, new Capacities({ DATABASE_POOL_SIZE: 4 }), new Refusals(), {
    PUBLIC_URL: undefined,
  });
  const caller: Caller = { subject: 'one', userType: 'system', scopes: [], grants: [] };
  const hungUp = new AbortController().signal;
  const list = (filter = {}) => answers.json('location', filter, caller, hungUp);

  it('is made piece by piece, each when it is asked for, in one round of the event loop each', async () => {
    const pieces: string[] = [];
    let rounds = 0;
    let next = setImmediate(function count() {
      rounds += 1;
      next = setImmediate(count);
    });
    for await (const piece of await list()) pieces.push(piece);
    clearImmediate(next);
    expect((JSON.parse(pieces.join('')) as { id: string }[]).map(({ id }) => id)).toEqual(many.map(({ id }) => id));
    // By their bytes, but for the last place of each.
    expect(Math.max(...pieces.map(({ length }) => length))).toBeLessThan(65 * KIB);
    expect(pieces.length).toBeGreaterThan(5);
    expect(rounds).toBeGreaterThanOrEqual(pieces.length - 1);
  });

  it('ends where its limit is, or where nothing more is wanted', async () => {
    const idsOf = async (filter: object): Promise<string[]> => {
      let text = '';
      for await (const piece of await list(filter)) text += piece;
      return (JSON.parse(text) as { id: string }[]).map(({ id }) => id);
    };
    expect(await idsOf({ limit: 2, after: aUuid(1_500) })).toEqual([aUuid(1_501), aUuid(1_502)]);
    expect(await idsOf({ isActive: false })).toEqual([]);
    expect(await idsOf({ after: aUuid(2_997), isActive: true })).toEqual([aUuid(2_998), aUuid(2_999)]);
  });
});
