import { aUuid } from '../../../test/support/builders/a-uuid.js';
import { aVersion, aVersionedPlace } from '../../../test/support/builders/a-versioned-place.js';
import type { CalendarDate } from '../../kernel/domain/calendar.js';
import { type CreationSetting, decideCreation, type NewPlace } from './place-decisions.js';

const [OFFICE, OTHER, AREA, VERSION, DRAWN] = [aUuid(1), aUuid(2), aUuid(3), aUuid(0xf0), aUuid(0xdd)];

const wanted = (over: Partial<NewPlace> = {}, version: Partial<NewPlace['version']> = {}): NewPlace => ({
  kind: 'location',
  id: OFFICE,
  partOf: null,
  locationType: 'CRVS_OFFICE',
  ...over,
  version: { ...aVersion(), versionId: undefined, ...version },
});
const NOTHING: CreationSetting = {
  sameId: undefined,
  sameVersionId: undefined,
  parent: undefined,
  sameExternalId: [],
};
const decide = (place: NewPlace, setting: Partial<CreationSetting> = {}) =>
  decideCreation(place, { ...NOTHING, ...setting }, () => DRAWN);

const refusal = (members: object) => expect.objectContaining(members) as Error;

describe('creating a place', () => {
  it('makes one version, with an id that is drawn where the caller gives none', () => {
    expect(decide(wanted())).toEqual({
      isNew: true,
      place: aVersionedPlace({ versions: [aVersion({ versionId: DRAWN })] }),
    });
    expect(decide(wanted({ id: undefined }, { versionId: VERSION })).place).toEqual(aVersionedPlace({ id: DRAWN }));
  });

  it('needs a parent that is an administrative area', () => {
    const inArea = wanted({ partOf: AREA });
    expect(decide(inArea, { parent: { kind: 'administrativeArea' } }).place.partOf).toBe(AREA);
    for (const parent of [undefined, { kind: 'location' }] as const) {
      expect(() => decide(inArea, { parent })).toThrow(
        refusal({
          code: 'BAD_REQUEST',
          issues: [{ message: `administrativeAreaId: no administrative area has the id ${AREA}` }],
        }),
      );
    }
    expect(() => decide({ ...inArea, kind: 'administrativeArea' })).toThrow(
      refusal({ issues: [{ message: `parentId: no administrative area has the id ${AREA}` }] }),
    );
  });

  it.each([
    ['the same id', wanted()],
    ['the same id and version id', wanted({}, { versionId: VERSION })],
  ])('again with %s yields what is there, whatever has become of it since', (_, again) => {
    const later = aVersion({ versionId: aUuid(0xf1), effectiveFrom: '2026-01-01', name: 'Renamed' });
    const existing = aVersionedPlace({ versions: [aVersion(), later] });
    expect(decide(again, { sameId: existing, sameVersionId: existing })).toEqual({ isNew: false, place: existing });
  });

  it('again without an id is recognized by the version id', () => {
    const existing = aVersionedPlace();
    const again = wanted({ id: undefined }, { versionId: VERSION });
    expect(decide(again, { sameVersionId: existing })).toEqual({ isNew: false, place: existing });
    expect(() =>
      decide(wanted({ id: undefined }, { versionId: VERSION, name: 'B' }), { sameVersionId: existing }),
    ).toThrow(refusal({ code: 'CONFLICT', message: `The versionId ${VERSION} is already used` }));
  });

  it.each([
    [wanted({}, { name: 'Another' }), 'name'],
    [wanted({}, { externalId: 'X', status: 'inactive' }), 'externalId, status'],
    [wanted({ locationType: null }), 'locationType'],
    [wanted({}, { effectiveFrom: '2026-01-01' as CalendarDate, versionId: OTHER }), 'versionId, effectiveFrom'],
    [{ ...wanted(), kind: 'administrativeArea' as const }, 'kind'],
  ])('with the id of a place that is different is refused, %#', (place, keys) => {
    const article = place.kind === 'location' ? 'A location' : 'An administrative area';
    expect(() => decide(place, { sameId: aVersionedPlace() })).toThrow(
      refusal({
        code: 'CONFLICT',
        message: `${article} with id ${OFFICE} already exists with different ${keys}`,
      }),
    );
  });

  it('with the version id of another place is refused', () => {
    expect(() => decide(wanted({ id: OTHER }, { versionId: VERSION }), { sameVersionId: aVersionedPlace() })).toThrow(
      refusal({ code: 'CONFLICT', message: `The versionId ${VERSION} is already used` }),
    );
  });
});

describe('an external id', () => {
  const from = (day: string, status: 'active' | 'inactive' = 'active', externalId: string | null = 'X') =>
    aVersion({ versionId: aUuid(0xe1), effectiveFrom: day, externalId, status });
  const always = aVersion({ externalId: 'X' });
  const own = (day: string) => wanted({ id: OTHER }, { externalId: 'X', effectiveFrom: day as CalendarDate });

  it.each([
    ['active under it now', [always], '2020-01-01', true],
    ['to be active under it', [from('2030-01-01')], '2020-01-01', true],
    ['active under it until then', [always, from('2026-01-01', 'inactive')], '2026-01-01', false],
    ['active under it until a day later', [always, from('2026-01-02', 'inactive')], '2026-01-01', true],
    ['known under another id from then on', [always, from('2026-01-01', 'active', 'Y')], '2026-01-01', false],
    ['inactive now, and to be active again', [from('2020-01-01', 'inactive'), from('2030-01-01')], '2026-01-01', true],
  ] as const)('of a place that is %s', (_, versions, day, isTaken) => {
    const [first, ...others] = versions;
    const setting = { sameExternalId: [aVersionedPlace({ versions: [first, ...others] })] };
    if (!isTaken) expect(decide(own(day), setting).isNew).toBe(true);
    else {
      expect(() => decide(own(day), setting)).toThrow(
        refusal({
          code: 'CONFLICT',
          message: 'An active location with externalId X already exists',
        }),
      );
    }
  });

  it('may be that of a place of the other kind, or of an inactive place', () => {
    const area = aVersionedPlace({ kind: 'administrativeArea', versions: [always] });
    const closed = aVersionedPlace({ versions: [aVersion({ externalId: 'X', status: 'inactive' })] });
    expect(decide(own('2020-01-01'), { sameExternalId: [area, closed] }).isNew).toBe(true);
  });
});
