import type { Caller } from '../../kernel/domain/scopes/caller.js';
import type { Permission } from '../../kernel/domain/scopes/permission.js';
import { OFFICE_OPTIONS, type ScopeOptions } from '../../kernel/domain/scopes/scope.js';
import type { Uuid } from '../../kernel/domain/uuid.js';
import type { Hierarchy } from '../locations/hierarchy.js';

type Places = Pick<Hierarchy, 'below' | 'ancestors' | 'isWithin'>;

export interface Reach {
  readonly offices: readonly Uuid[] | 'all';
  readonly roles: readonly string[] | 'all';
}

export interface Post {
  readonly primaryOfficeId: Uuid;
  readonly role: string;
}

/**
 * Users covered by the caller's scopes: `accessLevel=location` is their office, `administrativeArea` its area, or the
 * country without one (U-5). Without an office, nobody.
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

export const reaches = (reach: readonly Reach[], { primaryOfficeId, role }: Post): boolean =>
  reach.some(
    ({ offices, roles }) =>
      (offices === 'all' || offices.includes(primaryOfficeId)) && (roles === 'all' || roles.includes(role)),
  );

/**
 * Upper bound of a scope held in office `to`, expressed for office `from`, for comparison. Places outside the area of
 * `from` become everywhere.
 */
export function placedIn(
  { from: office, to }: { readonly from: Uuid | undefined; readonly to: Uuid },
  places: Places,
): (options: ScopeOptions) => ScopeOptions {
  // An unknown office has no area, and does not count as directly under the country.
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

/** Whether `place` (undefined: everywhere) lies in the office's area. */
function isInAreaOf(office: Uuid, place: Uuid | undefined, places: Places): boolean {
  const [area] = places.ancestors(office);
  return area === undefined || (place !== undefined && places.isWithin(place, area));
}
