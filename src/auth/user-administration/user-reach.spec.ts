import fc from 'fast-check';
import { aUuid } from '../../../test/support/builders/a-uuid.js';
import type { RecordOptions } from '../../kernel/domain/scopes/caller.js';
import { callerOf } from '../access/scope-permissions.js';
import { covers } from '../access/covers.js';
import type { Jurisdiction, ScopeOptions } from '../../kernel/domain/scopes/scope.js';
import type { Uuid } from '../../kernel/domain/uuid.js';
import { Hierarchy, inJurisdiction } from '../locations/hierarchy-cache.js';
import { placedIn, reaches, reachOf } from './user-administration.js';

/** Two offices in a district of a province, one in the province, one in another district, one under no area. */
const [PROVINCE, DISTRICT, OTHER_DISTRICT] = [aUuid(1), aUuid(2), aUuid(3)];
const [OFFICE, COLLEAGUES, OF_PROVINCE, ELSEWHERE, AT_THE_TOP] = [aUuid(4), aUuid(5), aUuid(6), aUuid(7), aUuid(8)];
const OFFICES = [OFFICE, COLLEAGUES, OF_PROVINCE, ELSEWHERE, AT_THE_TOP];
const UNKNOWN = aUuid(99);
const places = new Hierarchy([
  { id: PROVINCE, partOf: null },
  { id: DISTRICT, partOf: PROVINCE },
  { id: OTHER_DISTRICT, partOf: PROVINCE },
  { id: OFFICE, partOf: DISTRICT },
  { id: COLLEAGUES, partOf: DISTRICT },
  { id: OF_PROVINCE, partOf: PROVINCE },
  { id: ELSEWHERE, partOf: OTHER_DISTRICT },
  { id: AT_THE_TOP, partOf: null },
]);

function callerIn(office: Uuid | undefined, ...scope: readonly string[]) {
  return callerOf({ sub: 'admin', userType: 'user', scope, ...(office && { office }) }, () => undefined);
}

describe('reachOf', () => {
  const reached = (office: Uuid | undefined, ...scopes: readonly string[]) => {
    const reach = reachOf(callerIn(office, ...scopes), 'user.update', places);
    return OFFICES.filter((primaryOfficeId) => reaches(reach, { primaryOfficeId, role: 'CLERK' }));
  };

  it('is everybody without an option, and nobody without a scope', () => {
    expect(reached(undefined, 'user.update')).toEqual(OFFICES);
    expect(reached(OFFICE, 'type=user.edit&accessLevel=all')).toEqual(OFFICES);
    expect(reached(OFFICE, 'user.read', 'user.create')).toEqual([]);
  });

  it('is the office, or its area, or the whole country where it has no area', () => {
    expect(reached(OFFICE, 'type=user.edit&accessLevel=location')).toEqual([OFFICE]);
    expect(reached(OFFICE, 'type=user.edit&accessLevel=administrativeArea')).toEqual([OFFICE, COLLEAGUES]);
    expect(reached(OF_PROVINCE, 'user.update:my-jurisdiction')).toEqual([OFFICE, COLLEAGUES, OF_PROVINCE, ELSEWHERE]);
    expect(reached(AT_THE_TOP, 'type=user.edit&accessLevel=administrativeArea')).toEqual(OFFICES);
    expect(reached(AT_THE_TOP, 'type=user.edit&accessLevel=location')).toEqual([AT_THE_TOP]);
  });

  it.each([undefined, UNKNOWN])('is nobody for a caller without an office that is known', (office) => {
    expect(reached(office, 'type=user.edit&accessLevel=location')).toEqual([]);
    expect(reached(office, 'type=user.edit&accessLevel=administrativeArea')).toEqual([]);
  });

  it('is those with the roles of an option, each scope for itself', () => {
    const reach = reachOf(
      callerIn(OFFICE, 'type=user.edit&accessLevel=location&role=CLERK', 'type=user.edit&role=AGENT', 'user.read'),
      'user.update',
      places,
    );
    const at = (primaryOfficeId: Uuid, role: string) => reaches(reach, { primaryOfficeId, role });
    expect([at(OFFICE, 'CLERK'), at(ELSEWHERE, 'CLERK'), at(ELSEWHERE, 'AGENT'), at(OFFICE, 'REGISTRAR')]).toEqual([
      true,
      false,
      true,
      false,
    ]);
  });
});

describe('placedIn', () => {
  const seen = (from: Uuid | undefined, to: Uuid, placeOfEvent: Jurisdiction) =>
    placedIn({ from, to }, places)({ placeOfEvent, event: ['birth'] }).placeOfEvent;

  it.each<[string, Uuid | undefined, Uuid, Jurisdiction, Jurisdiction | undefined]>([
    ['the same office', OFFICE, OFFICE, 'location', 'location'],
    ['the area of the same office', OFFICE, OFFICE, 'administrativeArea', 'administrativeArea'],
    ['another office of the area', OFFICE, COLLEAGUES, 'location', 'administrativeArea'],
    ['the same area', OFFICE, COLLEAGUES, 'administrativeArea', 'administrativeArea'],
    ['an office below the area', OF_PROVINCE, OFFICE, 'location', 'administrativeArea'],
    ['an area below the area', OF_PROVINCE, OFFICE, 'administrativeArea', 'administrativeArea'],
    ['an office above', OFFICE, OF_PROVINCE, 'location', undefined],
    ['the area above', OFFICE, OF_PROVINCE, 'administrativeArea', undefined],
    ['another area', OFFICE, ELSEWHERE, 'administrativeArea', undefined],
    ['the country, seen from an area', OFFICE, AT_THE_TOP, 'administrativeArea', undefined],
    ['an area, seen from the country', AT_THE_TOP, OFFICE, 'administrativeArea', 'administrativeArea'],
    ['an office, seen by nobody’s', undefined, OFFICE, 'location', undefined],
    ['an office, seen from one that is not known', UNKNOWN, OFFICE, 'location', undefined],
    ['an area, seen from one that is not known', UNKNOWN, OFFICE, 'administrativeArea', undefined],
    ['an office that is not known, seen from an area', OFFICE, UNKNOWN, 'location', undefined],
  ])('says of %s what it is for the caller', (_, from, to, option, expected) => {
    expect(seen(from, to, option)).toBe(expected);
  });

  it('lets nobody give what he does not have: what is covered is a part, for any two offices', () => {
    const jurisdiction = fc.constantFrom<(Jurisdiction | undefined)[]>('location', 'administrativeArea', undefined);
    const options = fc
      .record({ placeOfEvent: jurisdiction, declaredIn: jurisdiction })
      .map((record) => defined(record) as Pick<ScopeOptions, keyof Places>);
    const all = [...OFFICES, PROVINCE, DISTRICT, OTHER_DISTRICT];
    const records = all.flatMap((placeOfEvent) => all.map((declaredIn) => ({ placeOfEvent, declaredIn })));
    const admitted = (filter: readonly RecordOptions[], office: Uuid) => {
      const located = inJurisdiction(filter, office, places);
      return records.filter((record) => located === 'everything' || located.some((one) => admits(one, record)));
    };
    fc.assert(
      fc.property(
        fc.array(options, { maxLength: 3 }),
        options,
        fc.constantFrom(...OFFICES, UNKNOWN),
        fc.constantFrom(...OFFICES, UNKNOWN),
        (held, asked, from, to) => {
          fc.pre(covers(held, placedIn({ from, to }, places)(asked)));
          const own = admitted(held, from);
          expect(admitted([asked], to).filter((record) => !own.includes(record))).toEqual([]);
        },
      ),
    );
  });
});

type Places = Readonly<Record<'placeOfEvent' | 'declaredIn', Uuid>>;

const admits = ({ within = {} }: RecordOptions, record: Places): boolean =>
  (['placeOfEvent', 'declaredIn'] as const).every((name) => within[name]?.includes(record[name]) !== false);

const defined = (members: object): object =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined));
