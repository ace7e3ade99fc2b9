import { aUuid } from '../../../test/support/builders/a-uuid.js';
import type { Place } from '../../kernel/domain/location.js';
import type { Uuid } from '../../kernel/domain/uuid.js';
import { ServiceError } from '../../kernel/errors/service-error.js';
import { parseLocationsFile } from './import-locations.js';

const PROVINCE = aUuid(1);
const DISTRICT = aUuid(2);
const OFFICE = aUuid(3);
const NOTHING_KNOWN: ReadonlyMap<Uuid, Place> = new Map();

const area = (id: unknown, partOf?: unknown) => ({ id, name: 'An area', partOf });
const office = (id: unknown, partOf?: unknown) => ({ id, name: 'An office', partOf, locationType: 'CRVS_OFFICE' });

const place = (id: Uuid, kind: Place['kind'], partOf: Uuid | null): Place => ({
  id,
  kind,
  name: kind === 'location' ? 'An office' : 'An area',
  partOf,
  locationType: kind === 'location' ? 'CRVS_OFFICE' : null,
});
const known = (...places: readonly Place[]) => new Map(places.map((each) => [each.id, each]));

const placesOf = (file: unknown) => parseLocationsFile(file, NOTHING_KNOWN).map((filed) => filed.place);

function issuesOf(file: unknown, places = NOTHING_KNOWN): readonly string[] {
  try {
    parseLocationsFile(file, places);
    return [];
  } catch (error) {
    if (!(error instanceof ServiceError) || error.code !== 'BAD_REQUEST') throw error;
    return error.issues.map((issue) => issue.message);
  }
}

describe('a locations file', () => {
  it('yields its places, whichever way their parents are spelled', () => {
    expect(
      placesOf({
        administrativeAreas: [
          area(PROVINCE, '0'),
          area(DISTRICT.toUpperCase(), `Location/${PROVINCE}`),
          area(aUuid(7), null),
        ],
        locations: [office(OFFICE, DISTRICT), { id: aUuid(8), name: 'At the top', partOf: 'Location/0' }],
      }),
    ).toEqual([
      place(PROVINCE, 'administrativeArea', null),
      place(DISTRICT, 'administrativeArea', PROVINCE),
      place(aUuid(7), 'administrativeArea', null),
      place(OFFICE, 'location', DISTRICT),
      { ...place(aUuid(8), 'location', null), name: 'At the top', locationType: null },
    ]);
  });

  it('may give places the ids that they have elsewhere', () => {
    const file = {
      administrativeAreas: [{ ...area(PROVINCE), externalId: 'P1' }],
      locations: [{ ...office(OFFICE), externalId: null }],
    };
    expect(placesOf(file)).toEqual([
      { ...place(PROVINCE, 'administrativeArea', null), externalId: 'P1' },
      { ...place(OFFICE, 'location', null), externalId: null },
    ]);
  });

  it('may build on places that are known already, and in any order', () => {
    const file = { locations: [office(OFFICE, DISTRICT)], administrativeAreas: [area(DISTRICT, PROVINCE)] };
    expect(issuesOf(file, known(place(PROVINCE, 'administrativeArea', null)))).toEqual([]);
  });

  it.each([
    [null, 'body: must be an object with the lists administrativeAreas and locations'],
    [[], 'body: must be an object with the lists administrativeAreas and locations'],
    [{}, 'body: must have one of the lists administrativeAreas and locations'],
    [{ locations: {} }, 'locations: must be a list'],
  ])('is refused as %j', (file, issue) => {
    expect(issuesOf(file)).toEqual([issue]);
  });

  it('leaves known places where they are, unless it says otherwise', () => {
    const places = known(place(PROVINCE, 'administrativeArea', null), place(OFFICE, 'location', PROVINCE));
    const filed = (more: object): object =>
      parseLocationsFile({ locations: [{ id: OFFICE, name: 'Renamed', ...more }] }, places)[0]?.place ?? {};
    expect(filed({})).toMatchObject({ name: 'Renamed', partOf: PROVINCE });
    expect(filed({ partOf: null })).toMatchObject({ partOf: null });
    expect(filed({ partOf: '0' })).toMatchObject({ partOf: null });
  });

  it('is refused with every fault of its places', () => {
    expect(
      issuesOf({
        administrativeAreas: [
          { ...area('no id'), locationType: 'DISTRICT', externalId: '' },
          { id: PROVINCE, name: ' ', partOf: 7 },
          'text',
        ],
        locations: [{ id: OFFICE, name: 'x'.repeat(257), partof: PROVINCE, locationType: '\u0000' }],
        offices: [],
      }),
    ).toEqual([
      'offices: is not a known key',
      'administrativeAreas[0].locationType: is not a known key',
      'administrativeAreas[0].id: must be a UUID',
      'administrativeAreas[0].externalId: must be visible text of 1 to 256 characters without control characters and without unpaired surrogates, or null',
      'administrativeAreas[1].name: must be visible text of 1 to 256 characters without control characters and without unpaired surrogates',
      'administrativeAreas[1].partOf: must be an id, "Location/<id>", "0", or null',
      'administrativeAreas[2]: must be an object',
      'locations[0].partof: is not a known key',
      'locations[0].name: must be visible text of 1 to 256 characters without control characters and without unpaired surrogates',
      'locations[0].locationType: must be visible text of 1 to 256 characters without control characters and without unpaired surrogates, or null',
    ]);
  });

  it('may have names of 256 characters, of any script', () => {
    const named = (name: string) => ({ locations: [{ ...office(OFFICE), name }] });
    expect(issuesOf(named('\u{1E922}'.repeat(256)))).toEqual([]);
    for (const control of ['A\u0007B', 'A\nB', 'A\u0085'])
      expect(issuesOf(named(control))).toEqual([
        expect.stringMatching(/^locations\[0\]\.name: .* without control characters/),
      ]);
    expect(issuesOf(named('\u{1E922}'.repeat(257)))).toEqual([
      'locations[0].name: must be visible text of 1 to 256 characters without control characters and without unpaired surrogates',
    ]);
  });

  it('is refused for ids that come twice, in one list or in both', () => {
    expect(issuesOf({ administrativeAreas: [area(PROVINCE), area(PROVINCE)], locations: [office(PROVINCE)] })).toEqual([
      'administrativeAreas[1].id: is that of administrativeAreas[0] too',
      'locations[0].id: is that of administrativeAreas[0] too',
    ]);
  });

  it('is refused for parents that are nowhere, or cannot contain others', () => {
    expect(
      issuesOf(
        {
          administrativeAreas: [area(PROVINCE, aUuid(9))],
          locations: [office(OFFICE, PROVINCE), office(aUuid(7), OFFICE), office(aUuid(8), aUuid(6))],
        },
        known(place(aUuid(6), 'location', null)),
      ),
    ).toEqual([
      `administrativeAreas[0].partOf: no administrative area has the id ${aUuid(9)}`,
      `locations[1].partOf: ${OFFICE} is a location, which cannot contain others`,
      `locations[2].partOf: ${aUuid(6)} is a location, which cannot contain others`,
    ]);
  });

  it('is refused for making a location of an area that contains places, unless they move', () => {
    const before = known(place(PROVINCE, 'administrativeArea', null), place(DISTRICT, 'administrativeArea', PROVINCE));
    expect(issuesOf({ locations: [office(PROVINCE)] }, before)).toEqual([
      `locations[0]: contains ${DISTRICT}, which a location cannot`,
    ]);
    expect(issuesOf({ locations: [office(PROVINCE)], administrativeAreas: [area(DISTRICT, null)] }, before)).toEqual(
      [],
    );
  });

  it('is refused for loops, each of them named once', () => {
    expect(
      issuesOf({
        administrativeAreas: [
          area(aUuid(7), DISTRICT),
          area(PROVINCE, DISTRICT),
          area(DISTRICT, PROVINCE),
          area(aUuid(8), aUuid(8)),
        ],
      }),
    ).toEqual([
      `administrativeAreas[0].partOf: leads into a loop: ${DISTRICT} is part of ${PROVINCE} is part of ${DISTRICT}`,
      `administrativeAreas[3].partOf: leads into a loop: ${aUuid(8)} is part of ${aUuid(8)}`,
    ]);
  });

  it('is refused for a loop that it closes with places known already', () => {
    const before = known(place(PROVINCE, 'administrativeArea', null), place(DISTRICT, 'administrativeArea', PROVINCE));
    expect(issuesOf({ administrativeAreas: [area(PROVINCE, DISTRICT)] }, before)).toEqual([
      `administrativeAreas[0].partOf: leads into a loop: ${PROVINCE} is part of ${DISTRICT} is part of ${PROVINCE}`,
    ]);
  });
});
