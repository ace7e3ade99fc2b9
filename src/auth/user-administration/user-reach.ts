import type { Caller } from '../../kernel/domain/scopes/caller.js';
import type { Permission } from '../../kernel/domain/scopes/permission.js';
import { OFFICE_OPTIONS, type ScopeOptions } from '../../kernel/domain/scopes/scope.js';
import type { Uuid } from '../../kernel/domain/uuid.js';
import type { Hierarchy } from '../locations/hierarchy.js';

type Places = Pick<Hierarchy, 'below' | 'ancestors' | 'isWithin'>;

/** Users in some offices, with some roles. */
export interface Reach {
  readonly offices: readonly Uuid[] | 'all';
  readonly roles: readonly string[] | 'all';
}

/** Where a user works, and as what. */
export interface Post {
  readonly primaryOfficeId: Uuid;
  readonly role: string;
}

/**
 * The users for whom the caller has the permission, by the options of his scopes: `accessLevel=location` are those of
 * his office, `accessLevel=administrativeArea` those of its area, or of the whole country where it has none (U-5).
 * Without an office he reaches nobody by them.
 */
export const reachOf = (caller: Caller, permission: Permission, places: Places): readonly Reach[] =>
  caller.grants
    .filter((grant) => grant.permission === permission)
    .map(({ options: { accessLevel, role } }) => ({
      offices: officesOf(accessLevel, caller.office, places),
      roles: role ?? 'all',
    }));

function officesOf(level: ScopeOptions['accessLevel'], office: Uuid | undefined, places: Places): Reach['offices'] {
  if (level === undefined) return 'all';
  if (office === undefined || !isKnown(office, places)) return [];
  if (level === 'location') return [office];
  const [area] = places.ancestors(office);
  return area === undefined ? 'all' : places.below(area);
}

/** Whether one of them has this post. */
export const reaches = (reach: readonly Reach[], { primaryOfficeId, role }: Post): boolean =>
  reach.some(
    ({ offices, roles }) =>
      (offices === 'all' || offices.includes(primaryOfficeId)) && (roles === 'all' || roles.includes(role)),
  );

/**
 * What a scope admits when somebody in office `to` has it, said of the office `from`, and rather more than less: an
 * office or area that is not within the area of `from` is everywhere. So it can be compared with what somebody in
 * `from` holds.
 */
export function placedIn(
  { from: office, to }: { readonly from: Uuid | undefined; readonly to: Uuid },
  places: Places,
): (options: ScopeOptions) => ScopeOptions {
  // One that is not known has no area, and is not directly under the country for that.
  const from = office !== undefined && isKnown(office, places) ? office : undefined;
  const [ofTo] = places.ancestors(to);
  return (options) =>
    Object.fromEntries(
      Object.entries(options).flatMap(([name, value]): [string, unknown][] => {
        if (from === undefined) return isRelative(name) ? [] : [[name, value]];
        if (!isRelative(name) || from === to) return [[name, value]];
        const isInArea = isInAreaOf(from, value === 'location' ? to : ofTo, places);
        return isInArea ? [[name, 'administrativeArea']] : [];
      }),
    );
}

const isKnown = (office: Uuid, places: Places): boolean => places.below(office).length > 0;

const isRelative = (name: string): boolean => OFFICE_OPTIONS.some((option) => option === name);

/** Whether what is within `place`, or everywhere if it is undefined, is within the area of an office. */
function isInAreaOf(office: Uuid, place: Uuid | undefined, places: Places): boolean {
  const [area] = places.ancestors(office);
  return area === undefined || (place !== undefined && places.isWithin(place, area));
}
