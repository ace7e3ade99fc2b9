import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import type { Grant } from '../../kernel/domain/scopes/caller.js';
import type { Uuid } from '../../kernel/domain/uuid.js';
import { sql } from '../../kernel/sql/sql.js';
import { ChangeFeed, Followed } from '../../platform/database/connection/change-feed.js';
import { INCARNATION } from '../../platform/database/connection/server-look.js';
import type { Connections } from '../../platform/database/pools/connections.js';
import { ControlDatabase } from '../../platform/database/pools/pools.js';
import { Roles } from './roles.js';
import type { UserStatus } from './user-view.js';

/** Batch size that keeps the event loop responsive. */
const AT_A_TIME = 2_000;

interface ReadUser {
  readonly status: UserStatus;
  readonly role: string;
  readonly officeId: Uuid;
}

interface UsersRead {
  /** By id in lower case. The next reading takes ownership. */
  readonly users: Map<string, ReadUser>;
  readonly revision: string;
  /** Server and history: after a failover, rows may be missing. */
  readonly incarnation: string;
}

const NO_USERS: UsersRead = { users: new Map(), revision: '0', incarnation: '' };

interface Row extends ReadUser {
  readonly id: string;
  readonly revision: string;
}

/** Reads changes since `known`, or everything after a failover. */
const readUsers = (database: Connections, known: UsersRead): Promise<UsersRead> =>
  database.snapshot(async (snapshot) => {
    const [state] = await snapshot.query<Pick<UsersRead, 'incarnation'>>(sql`select ${INCARNATION} as incarnation`);
    const incarnation = state?.incarnation ?? '';
    const { users, revision } = incarnation === known.incarnation ? known : { users: new Map(), revision: '0' };
    for (let last = revision; ;) {
      const rows = await snapshot.query<Row>(sql`
        select user_id as id, status, role, primary_office_id as "officeId", revision from user_account
         where revision > ${last}::bigint order by revision limit ${AT_A_TIME}`);
      for (const { id, status, role, officeId } of rows) users.set(id, { status, role, officeId });
      last = rows.at(-1)?.revision ?? last;
      if (rows.length < AT_A_TIME) return { users, revision: last, incarnation };
    }
  });

/** The user's current state, which overrides their tokens (U-7). */
export interface KnownUser {
  readonly status: UserStatus;
  readonly role: string;
  /** None when the role is not configured. */
  readonly scopes: readonly string[];
  readonly grants: readonly Grant[];
  readonly officeId: Uuid;
}

/** Caches every user, about 300 bytes each. Changes hold here at once, elsewhere within two seconds (U-7, G-3). */
@Injectable()
export class UserDirectory extends Followed implements OnModuleInit {
  private known: UsersRead = NO_USERS;

  constructor(
    @Inject(ControlDatabase) private readonly database: Connections,
    private readonly roles: Roles,
    feed: ChangeFeed,
  ) {
    super(feed, 'user_changed');
  }

  onModuleInit(): Promise<void> {
    return this.refresh();
  }

  /** Await `current()` before. `userId` is in lower case. */
  find(userId: string): KnownUser | undefined {
    const user = this.known.users.get(userId);
    if (user === undefined) return undefined;
    const role = this.roles.find(user.role);
    return { ...user, scopes: role?.scopes ?? [], grants: role?.grants ?? [] };
  }

  protected async load(): Promise<void> {
    this.known = await readUsers(this.database, this.known);
  }
}
