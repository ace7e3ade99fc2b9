import { Injectable } from '@nestjs/common';
import type { Caller } from '../../kernel/domain/scopes/caller.js';
import { inOtherHands, notHeld } from '../access/covers.js';
import type { Permission } from '../../kernel/domain/scopes/permission.js';
import { actorOf } from '../../platform/audit/audit-entry.js';
import { PasswordResets } from '../sessions/password-resets.js';
import type { NewUserDto } from './new-user.dto.js';
import { Roles } from '../users/roles.js';
import { type UserChange, UserChanges } from './user-changes.js';
import { type UserFilter, type UserPage, UserPages } from '../users/user-pages.js';
import { UserRegistration } from './user-registration.js';
import type { UserView } from '../users/user-view.js';
import { noSuchUser, Users } from '../users/users.js';
import type { Uuid } from '../../kernel/domain/uuid.js';
import { ServiceError } from '../../kernel/errors/service-error.js';
import { HierarchyCache } from '../locations/hierarchy-cache.js';
import { all, any, type Sql, sql } from '../../kernel/sql/sql.js';
import { placedIn, type Post, type Reach, reaches, reachOf } from './user-reach.js';

/**
 * User administration (U-6). Users beyond the caller's reach appear absent. No caller gains a scope they do not hold by
 * a role, office, address, password or reactivation.
 */
@Injectable()
export class UserAdministration {
  constructor(
    private readonly users: Users,
    private readonly registration: UserRegistration,
    private readonly changes: UserChanges,
    private readonly resets: PasswordResets,
    private readonly pages: UserPages,
    private readonly roles: Roles,
    private readonly places: HierarchyCache,
  ) {}

  /** Throws as `UserRegistration.register`, and 403 for a post the caller may not give. */
  async create(order: NewUserDto, caller: Caller): Promise<UserView> {
    await this.places.current();
    this.requireReach(caller, 'user.create', order);
    this.requireHeld(caller, order, undefined);
    return this.registration.register(order, actorOf(caller));
  }

  async list(filter: Omit<UserFilter, 'within'>, caller: Caller): Promise<UserPage> {
    await this.places.current();
    return this.pages.read({ ...filter, within: any(reachOf(caller, 'user.read', this.places).map(isReached)) });
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

  /** Throws as `PasswordResets.reset`, and 403 as `update`, since a link gives access to the account. */
  async resetPassword(id: Uuid, caller: Caller): Promise<UserView> {
    await this.places.current();
    return this.resets.reset(id, actorOf(caller), (user) => {
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
