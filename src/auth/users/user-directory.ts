import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import type { Grant } from '../../kernel/domain/scopes/caller.js';
import { ChangeFeed } from '../../platform/database/connection/change-feed.js';
import { Followed } from '../../platform/database/connection/followed.js';
import type { Connections } from '../../platform/database/pools/connections.js';
import { ControlDatabase } from '../../platform/database/pools/control-database.js';
import type { UserEntity } from '../../platform/database/schema/user.entity.js';
import type { Uuid } from '../../kernel/domain/uuid.js';
import { NO_USERS, readUsers, type UsersRead } from './read-users.js';
import { Roles } from './roles.js';

/** A user as he is now: what his tokens may do, whatever they say (U-7). */
export interface KnownUser {
  readonly status: UserEntity['status'];
  readonly role: string;
  /** Those of his role; none when the role is not configured any more. */
  readonly scopes: readonly string[];
  readonly grants: readonly Grant[];
  readonly officeId: Uuid;
}

/**
 * Every user in memory, kept up to date, so that a role change or a deactivation holds at the next request: at once in
 * this process, within two seconds in others (U-7, G-3). Some 200 bytes a user.
 */
@Injectable()
export class UserDirectory implements OnModuleInit {
  private known: UsersRead = NO_USERS;
  private readonly changes: Followed;

  constructor(
    @Inject(ControlDatabase) database: Connections,
    private readonly roles: Roles,
    feed: ChangeFeed,
  ) {
    this.changes = new Followed(feed, 'user_changed', async () => {
      this.known = await readUsers(database, this.known);
    });
  }

  onModuleInit(): Promise<void> {
    return this.refresh();
  }

  /**
   * Resolves when the known users are valid: at once, or after asking the database while changes are not heard (G-3).
   */
  current(): Promise<void> {
    return this.changes.current();
  }

  /** The user, as of the last change that was heard. Await `current()` before. `userId` is in lower case. */
  find(userId: string): KnownUser | undefined {
    const user = this.known.users.get(userId);
    if (user === undefined) return undefined;
    const role = this.roles.find(user.role);
    return { ...user, scopes: role?.scopes ?? [], grants: role?.grants ?? [] };
  }

  /** Reads what has changed; it includes everything committed before the call. */
  refresh(): Promise<void> {
    return this.changes.refresh();
  }
}
