import { Injectable } from '@nestjs/common';
import type { Caller } from '../../kernel/domain/scopes/caller.js';
import type { Permission } from '../../kernel/domain/scopes/permission.js';
import { OFFICE_OPTIONS, type ScopeOptions } from '../../kernel/domain/scopes/scope.js';
import type { Uuid } from '../../kernel/domain/uuid.js';
import { ServiceError } from '../../kernel/errors/service-error.js';
import { all, any, type Sql, sql } from '../../kernel/sql/sql.js';
import { actorOf } from '../../platform/audit/audit-entry.js';
import { inOtherHands, notHeld } from '../access/covers.js';
import { type Hierarchy, HierarchyCache } from '../locations/hierarchy-cache.js';
import { Roles } from '../users/roles.js';
import { noSuchUser, type UserFilter, type UserPage, Users } from '../users/users.js';
import type { UserView } from '../users/user-view.js';
import type { NewUserDto } from './new-user.dto.js';
import { type UserChange, UserChanges } from './user-changes.js';

/** Users beyond the caller's reach appear absent; no caller gains a scope by what they change (U-6). */
@Injectable()
export class UserAdministration {
  constructor(
    private readonly users: Users,
    private readonly changes: UserChanges,
    private readonly roles: Roles,
    private readonly places: HierarchyCache,
  ) {}

  /** Throws as `UserChanges.register`, and 403 for a post the caller may not give. */
  async create(order: NewUserDto, caller: Caller): Promise<UserView> {
    await this.places.current();
    this.requireReach(caller, 'user.create', order);
    this.requireHeld(caller, order, undefined);
    return this.changes.register(order, actorOf(caller));
  }

  async list(filter: Omit<UserFilter, 'within'>, caller: Caller): Promise<UserPage> {
    await this.places.current();
    return this.users.page({ ...filter, within: any(reachOf(caller, 'user.read', this.places).map(isReached)) });
  }

  /** Throws 404 for a user the caller may not read; they may read themselves. */
  async find(id: Uuid, caller: Caller): Promise<UserView> {
    await this.places.current();
    const user = await this.users.find(id);
    if (user === undefined || (id !== caller.subject && !this.isReached(caller, 'user.read', user))) {
      throw noSuchUser(id);
    }
    return user;
  }

  /**
   * Throws as `UserChanges.update`, and 403 for a user only readable or a post they may not give. Unless only the name
   * changes, both roles need held scopes: an account taken over while weak could become stronger.
   */
  async update(id: Uuid, change: UserChange, caller: Caller): Promise<UserView> {
    await this.places.current();
    const isOfName = Object.entries(change).every(([member, value]) => member === 'name' || value === undefined);
    return this.changes.update(id, change, actorOf(caller), (before, after) => {
      this.requireUpdate(caller, before);
      this.requireReach(caller, 'user.update', after);
      if (isOfName) return;
      this.requireHeld(caller, before, id);
      this.requireHeld(caller, after, id);
    });
  }

  /** Throws 404, and 403 as `update`; deactivation needs only permission to update. */
  async setStatus(id: Uuid, status: 'active' | 'deactivated', caller: Caller): Promise<UserView> {
    await this.places.current();
    return this.changes.setStatus(id, status, actorOf(caller), (before) => {
      this.requireUpdate(caller, before);
      if (status === 'active') this.requireHeld(caller, before, id);
    });
  }

  /** Throws as `UserChanges.resetPassword`, and 403 as `update`, since a link gives access to the account. */
  async resetPassword(id: Uuid, caller: Caller): Promise<UserView> {
    await this.places.current();
    return this.changes.resetPassword(id, actorOf(caller), (user) => {
      this.requireUpdate(caller, user);
      this.requireHeld(caller, user, id);
    });
  }

  /** Throws 404 for a user neither readable nor updatable, 403 for one only readable. */
  private requireUpdate(caller: Caller, user: UserView): void {
    if (this.isReached(caller, 'user.update', user)) return;
    if (!this.isReached(caller, 'user.read', user)) throw noSuchUser(user.id);
    throw new ServiceError('FORBIDDEN', 'No scope of the caller permits a change of this user');
  }

  private requireReach(caller: Caller, permission: Permission, post: Post): void {
    if (this.isReached(caller, permission, post)) return;
    throw new ServiceError('FORBIDDEN', 'No scope of the caller permits this role in this office');
  }

  private isReached(caller: Caller, permission: Permission, post: Post): boolean {
    return reaches(reachOf(caller, permission, this.places), post);
  }

  /** `holder`: the current user, whose own actions `declaredBy` refers to. */
  private requireHeld(caller: Caller, { role, primaryOfficeId: to }: Post, holder: Uuid | undefined): void {
    // An unconfigured role may have any permission when it returns.
    const scopes = this.roles.find(role)?.scopes ?? ['natlsysadmin'];
    const placed = placedIn({ from: caller.office, to }, this.places);
    const isAnother = holder !== undefined && holder !== caller.subject;
    const lacking = notHeld(caller, scopes, isAnother ? (options) => inOtherHands(placed(options)) : placed);
    if (lacking.length === 0) return;
    const shown = lacking.map((scope) => JSON.stringify(scope)).join(', ');
    throw new ServiceError('FORBIDDEN', `Nobody grants a role with a scope that he does not hold: ${shown}`);
  }
}

const isReached = ({ offices, roles }: Reach): Sql =>
  all([
    ...(offices === 'all' ? [] : [sql`primary_office_id = any(${[...offices]}::uuid[])`]),
    ...(roles === 'all' ? [] : [sql`role = any(${[...roles]}::text[])`]),
  ]);

type Places = Pick<Hierarchy, 'below' | 'ancestors' | 'isWithin'>;

export interface Reach {
  readonly offices: readonly Uuid[] | 'all';
  readonly roles: readonly string[] | 'all';
}

export interface Post {
  readonly primaryOfficeId: Uuid;
  readonly role: string;
}

/** Users covered by the caller's scopes: without an office nobody, at the top the country (U-5). */
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

/** Upper bound of a scope held in office `to`, as office `from` says it. Beyond its area is everywhere. */
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
