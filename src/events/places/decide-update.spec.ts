import { aUuid } from '../../../test/support/builders/a-uuid.js';
import { aVersion, aVersionedPlace } from '../../../test/support/builders/a-versioned-place.js';
import type { CalendarDate } from '../../kernel/domain/calendar.js';
import { changesOf, decideUpdate, type Snapshot, type UpdateSetting } from './place-decisions.js';
import { decideWithdrawal } from './place-writer.js';

const TODAY = '2026-07-01' as CalendarDate;
const [FIRST, SECOND, NEW, DRAWN] = [aUuid(0xf0), aUuid(0xf1), aUuid(0xf2), aUuid(0xdd)];
const later = aVersion({ versionId: SECOND, effectiveFrom: '2026-09-01', name: 'District Office' });
const once = aVersionedPlace();
const twice = aVersionedPlace({ versions: [aVersion(), later] });

const snapshot = (over: Partial<Omit<Snapshot, 'effectiveFrom'>> & { effectiveFrom?: string } = {}): Snapshot => ({
  name: 'District Office',
  externalId: null,
  status: 'active',
  versionId: undefined,
  lastVersionId: FIRST,
  ...over,
  effectiveFrom: over.effectiveFrom as CalendarDate | undefined,
});
const decide = (asked: Snapshot, setting: Partial<UpdateSetting> = {}) =>
  decideUpdate(
    asked,
    { place: once, isVersionIdUsed: false, sameExternalId: [], today: TODAY, ...setting },
    () => DRAWN,
  );
const conflict = (message: string) => refusal({ code: 'CONFLICT', message });

const refusal = (members: object) => expect.objectContaining(members) as Error;

describe('updating a place', () => {
  it('appends a version, from today on where no day is given', () => {
    const appended = { ...later, versionId: DRAWN, effectiveFrom: TODAY };
    expect(decide(snapshot())).toEqual({ appended, versions: [aVersion(), appended] });
  });

  it('schedules a version, under the id that the caller gives it', () => {
    const appended = { ...later, versionId: NEW };
    expect(decide(snapshot({ effectiveFrom: '2026-09-01', versionId: NEW }))).toEqual({
      appended,
      versions: [aVersion(), appended],
    });
  });

  it('is refused past a thousand versions of a place (L-1)', () => {
    const days = Array.from({ length: 1_000 }, (_, day) =>
      new Date(Date.UTC(2020, 0, 1 + day)).toISOString().slice(0, 10),
    );
    const versions = days.map((effectiveFrom, at) => aVersion({ versionId: aUuid(0x1000 + at), effectiveFrom }));
    const full = aVersionedPlace({ versions: versions as [(typeof versions)[number]] });
    const next = snapshot({ lastVersionId: aUuid(0x1000 + 999), name: 'Another' });
    expect(() => decide(next, { place: full })).toThrow(
      conflict('This location has 1000 versions: no more can be added'),
    );
    const [first, ...rest] = versions.slice(0, 999);
    const place = aVersionedPlace({ versions: [first ?? aVersion(), ...rest] });
    expect(decide({ ...next, lastVersionId: aUuid(0x1000 + 998) }, { place }).versions).toHaveLength(1_000);
  });

  it('may say what has been so for some time', () => {
    expect(decide(snapshot({ effectiveFrom: '1990-01-01' })).appended?.effectiveFrom).toBe('1990-01-01');
  });

  it.each([
    ['with its day', snapshot({ effectiveFrom: '2026-09-01' })],
    ['with its day and version id', snapshot({ effectiveFrom: '2026-09-01', versionId: SECOND })],
    ['with its version id, on a later day', snapshot({ versionId: SECOND })],
  ])('again %s appends nothing', (_, again) => {
    expect(decide(again, { place: twice, isVersionIdUsed: true })).toEqual({
      appended: undefined,
      versions: twice.versions,
    });
  });

  it('to what the newest version says already appends nothing', () => {
    const same = snapshot({ effectiveFrom: '2026-09-01', lastVersionId: SECOND });
    expect(decide(same, { place: twice }).appended).toBeUndefined();
  });

  it.each([
    ['does not know the newest version', snapshot({ effectiveFrom: '2027-01-01' })],
    ['names a version that is not there', snapshot({ lastVersionId: NEW })],
    ['repeats something else', snapshot({ effectiveFrom: '2026-09-01', name: 'Another' })],
  ])('of a caller who %s is refused', (_, asked) => {
    expect(() => decide(asked, { place: twice })).toThrow(
      conflict(`The version ${asked.lastVersionId} is not the newest of this location: refresh and retry`),
    );
  });

  it('on a day that has a version is refused', () => {
    for (const effectiveFrom of ['2026-09-01', '0001-01-01']) {
      expect(() => decide(snapshot({ effectiveFrom, lastVersionId: SECOND, name: 'C' }), { place: twice })).toThrow(
        conflict(`A version with effectiveFrom ${effectiveFrom} already exists`),
      );
    }
  });

  it('on a day before the newest version cannot be done', () => {
    for (const effectiveFrom of ['2026-08-31', undefined]) {
      const asked = snapshot({ lastVersionId: SECOND, ...(effectiveFrom !== undefined && { effectiveFrom }) });
      expect(() => decide(asked, { place: twice })).toThrow(
        refusal({
          code: 'UNPROCESSABLE_CONTENT',
          message: `effectiveFrom ${effectiveFrom ?? TODAY} is earlier than that of the newest version, 2026-09-01`,
        }),
      );
    }
  });

  it('under a version id that is used elsewhere is refused', () => {
    expect(() => decide(snapshot({ versionId: NEW }), { isVersionIdUsed: true })).toThrow(
      conflict(`The versionId ${NEW} is already used`),
    );
  });

  it('to an external id that another place has or will have is refused', () => {
    const other = aVersionedPlace({
      id: aUuid(9),
      versions: [aVersion({ externalId: 'X', effectiveFrom: '2030-01-01' })],
    });
    expect(() => decide(snapshot({ externalId: 'X' }), { sameExternalId: [other] })).toThrow(
      conflict('An active location with externalId X already exists'),
    );
    expect(
      decide(snapshot({ externalId: 'X', status: 'inactive' }), { sameExternalId: [other] }).appended,
    ).toBeDefined();
    expect(decide(snapshot({ externalId: 'X' }), { sameExternalId: [once] }).appended).toBeDefined();
  });

  it('is told by what it changes', () => {
    expect(changesOf(aVersion(), aVersion({ name: 'B', externalId: 'X' }))).toEqual({
      name: { from: 'Office', to: 'B' },
      externalId: { from: null, to: 'X' },
    });
  });
});

describe('withdrawing a version', () => {
  const withdraw = (versionId: typeof FIRST, place = twice, sameExternalId: UpdateSetting['sameExternalId'] = []) =>
    decideWithdrawal(versionId, { place, sameExternalId, today: TODAY });

  it('takes away one that has not begun', () => {
    expect(withdraw(SECOND)).toEqual({ withdrawn: later, versions: [aVersion()] });
  });

  it('takes away one that others follow', () => {
    const last = aVersion({ versionId: NEW, effectiveFrom: '2027-01-01' });
    const place = aVersionedPlace({ versions: [aVersion(), later, last] });
    expect(withdraw(SECOND, place).versions).toEqual([aVersion(), last]);
  });

  it.each(['2026-07-01', '2026-06-30'])('that is in effect, since %s, is refused', (effectiveFrom) => {
    const begun = aVersion({ versionId: SECOND, effectiveFrom });
    expect(() => withdraw(SECOND, aVersionedPlace({ versions: [aVersion(), begun] }))).toThrow(
      conflict(`The version ${SECOND} is already in effect`),
    );
  });

  it('that is the only one is refused, in effect or not', () => {
    const planned = aVersionedPlace({ versions: [aVersion({ effectiveFrom: '2030-01-01' })] });
    for (const place of [once, planned]) {
      expect(() => withdraw(FIRST, place)).toThrow(conflict('The only version cannot be withdrawn'));
    }
  });

  it('that is not there, or not any more, is not found', () => {
    expect(() => withdraw(NEW)).toThrow(refusal({ code: 'NOT_FOUND', message: `Version not found with ID: ${NEW}` }));
  });

  it('that has handed the external id on is refused', () => {
    const closing = aVersion({ versionId: SECOND, effectiveFrom: '2026-09-01', externalId: 'X', status: 'inactive' });
    const place = aVersionedPlace({ versions: [aVersion({ externalId: 'X' }), closing] });
    const heir = aVersionedPlace({
      id: aUuid(9),
      versions: [aVersion({ externalId: 'X', effectiveFrom: '2026-09-01' })],
    });
    expect(() => withdraw(SECOND, place, [heir])).toThrow(
      conflict('An active location with externalId X already exists'),
    );
    expect(withdraw(SECOND, place).versions).toHaveLength(1);
  });
});
