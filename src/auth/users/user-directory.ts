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

/** The user's current state, which overrides their tokens (U-7). */
export interface KnownUser {
  readonly status: UserEntity['status'];
  readonly role: string;
  /** None when the role is not configured. */
  readonly scopes: readonly string[];
  readonly grants: readonly Grant[];
  readonly officeId: Uuid;
}

/** Caches every user, about 200 bytes each. Changes hold here at once, elsewhere within two seconds (U-7, G-3). */
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

  /** Resolves when the cache is valid: at once, or after a read while the change feed is down (G-3). */
  current(): Promise<void> {
    return this.changes.current();
  }

  /** Await `current()` before. `userId` is in lower case. */
  find(userId: string): KnownUser | undefined {
    const user = this.known.users.get(userId);
    if (user === undefined) return undefined;
    const role = this.roles.find(user.role);
    return { ...user, scopes: role?.scopes ?? [], grants: role?.grants ?? [] };
  }

  /** Reads changes, including everything committed before the call. */
  refresh(): Promise<void> {
    return this.changes.refresh();
  }
}
