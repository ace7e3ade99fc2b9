import { aUuid } from '../../../test/support/builders/a-uuid.js';
import type { Caller } from '../../kernel/domain/scopes/caller.js';
import { callerOf } from '../../auth/access/scope-permissions.js';
import type { SecuredFields } from '../../kernel/domain/secured-fields.js';
import type { Uuid } from '../../kernel/domain/uuid.js';
import { Hierarchy } from '../../auth/locations/hierarchy-cache.js';
import { SearchPlanner } from './search-planner.js';

const [OFFICE, DISTRICT, OTHER_DISTRICT] = [aUuid(1), aUuid(2), aUuid(3)];
const SECURED: SecuredFields = new Map([['birth', { fieldIds: new Set(['mother.nid']), copies: new Set() }]]);

/** Where the office lies; what is heard of later is known once `current` was awaited. */
let area: Uuid;
let heardOf: Uuid;
beforeEach(() => {
  [area, heardOf] = [DISTRICT, DISTRICT];
});

const places = () =>
  new Hierarchy([
    { id: DISTRICT, partOf: null },
    { id: OTHER_DISTRICT, partOf: null },
    { id: OFFICE, partOf: area },
  ]);

const hierarchy = {
  below: (place: Uuid) => places().below(place),
  ancestors: (place: Uuid) => places().ancestors(place),
  current: () => {
    area = heardOf;
    return Promise.resolve();
  },
};

function plannerWith(secured: SecuredFields = new Map()): SearchPlanner {
  const config = { TIMEZONE: 'UTC', eventConfiguration: { secured } };
  const unread = { current: () => Promise.reject(new Error('a row filter needs neither terms nor statistics')) };
  return new SearchPlanner(config, hierarchy, unread, unread);
}

const planner = plannerWith();

const callerWith = (...scope: readonly string[]): Caller =>
  callerOf({ sub: 'caller', userType: 'user', scope, office: OFFICE }, () => undefined);

describe('the records that a caller finds', () => {
  it('are those of the permission that is asked about, however often others were', async () => {
    const caller = callerWith('type=record.search&event=birth', 'type=record.read&event=death');
    const reached = async () => [
      await planner.reach(caller, 'record.search'),
      await planner.reach(caller, 'record.read'),
      await planner.reach(caller, 'record.review-duplicates'),
    ];
    const expected = [[{ event: ['birth'] }], [{ event: ['death'] }], []];
    expect([await reached(), await reached()]).toEqual([expected, expected]);
  });

  it('lie where his office is by then', async () => {
    const caller = callerWith('type=record.search&placeOfEvent=administrativeArea');
    const admitted = async () => planner.reach(caller, 'record.search');
    expect(await admitted()).toEqual([{ within: { placeOfEvent: [DISTRICT, OFFICE] } }]);
    heardOf = OTHER_DISTRICT;
    expect(await admitted()).toEqual([{ within: { placeOfEvent: [OTHER_DISTRICT, OFFICE] } }]);
  });
});

describe('the records that others may name to a caller', () => {
  const NOT_SEALED = { flags: { noneOf: ['sealed'] } };
  const BIRTHS = 'type=record.search&event=birth';

  const namingFor = async (caller: Caller) => planner.naming(caller, await planner.reach(caller, 'record.search'));

  it.each<[string, readonly string[], unknown]>([
    [
      'those that he finds or reads, where no scope asks for flags',
      [BIRTHS, 'type=record.read&event=death'],
      [{ event: ['death'] }, { event: ['birth'] }],
    ],
    ['none, for who neither finds nor reads any', ['record.notify'], []],
    ['all, for who finds all', ['record.search', 'type=record.read&flags.noneOf=sealed'], undefined],
    [
      'all, for who reads or reviews all, whatever he finds',
      [BIRTHS, 'type=record.read&flags.noneOf=sealed', 'record.review-duplicates'],
      undefined,
    ],
    [
      'those that he finds, where that asks for flags',
      ['type=record.search&flags.noneOf=sealed', 'record.read'],
      [NOT_SEALED],
    ],
    [
      'those that he finds or reads, where only reading asks for flags',
      [BIRTHS, 'type=record.read&flags.noneOf=sealed'],
      [NOT_SEALED, { event: ['birth'] }],
    ],
    [
      'those that he finds or reviews, where only reviewing asks for flags',
      [BIRTHS, 'type=record.review-duplicates&flags.noneOf=sealed'],
      [{ event: ['birth'] }, NOT_SEALED],
    ],
    [
      'those that he finds, where flags only say what he may register',
      [BIRTHS, 'type=record.register&flags.noneOf=sealed'],
      [{ event: ['birth'] }],
    ],
  ])('are %s', async (_, scopes, expected) => {
    expect(await namingFor(callerWith(...scopes))).toEqual(expected);
  });

  it('are no more with a token that was narrowed', async () => {
    const all = callerWith(BIRTHS, 'type=record.read&flags.noneOf=sealed');
    const narrowed = { ...callerWith(BIRTHS), narrowedFrom: all };
    expect(await namingFor(narrowed)).toEqual([NOT_SEALED, { event: ['birth'] }]);
  });
});

describe('what is kept from a caller', () => {
  it('are secured fields of all records but those that he may read, whatever he finds', async () => {
    const guarded = plannerWith(SECURED);
    const readableBy = async (...scopes: readonly string[]) =>
      (await guarded.guard(callerWith('record.search', ...scopes)))?.readable;
    expect(await readableBy()).toEqual([]);
    expect(await readableBy('type=record.read&event=death')).toEqual([{ event: ['death'] }]);
    expect(await readableBy('record.read')).toBeUndefined();
    expect(await planner.guard(callerWith('record.search'))).toBeUndefined();
  });
});
