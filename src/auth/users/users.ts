import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { MIB } from '../../kernel/domain/bytes.js';
import { usernameKey, usernameSkeleton } from '../../kernel/domain/text.js';
import type { Uuid } from '../../kernel/domain/uuid.js';
import { INVALID_INPUT, invalidInput } from '../../kernel/errors/faults.js';
import { ServiceError } from '../../kernel/errors/service-error.js';
import { all, rowsWithin, type Sql, sql } from '../../kernel/sql/sql.js';
import type { Actor } from '../../platform/audit/audit-entry.js';
import { AuditLog } from '../../platform/audit/audit-log.js';
import { USERS_LOCK } from '../../platform/database/connection/advisory-locks.js';
import { ChangeFeed } from '../../platform/database/connection/change-feed.js';
import type { Queryable } from '../../platform/database/connection/queryable.js';
import type { Transaction } from '../../platform/database/pools/connections.js';
import { Database } from '../../platform/database/pools/database.js';
import { Roles } from './roles.js';
import { STORED_USER, type StoredUser, USER_VIEW, type UserView } from './user-view.js';

async function isLocation(transaction: Queryable, id: Uuid): Promise<boolean> {
  const found = await transaction.query(sql`select from place where id = ${id} and kind = 'location'`);
  return found.length > 0;
}

/** With a password, the user is active; without one, `pending` (U-6). */
export interface NewUser {
  readonly username: string;
  readonly name: { readonly firstname: string; readonly surname: string };
  readonly role: string;
  readonly primaryOfficeId: Uuid;
  readonly email?: string | undefined;
  readonly mobile?: string | undefined;
  /** Argon2id in PHC format. */
  readonly passwordHash?: string | undefined;
}

type Within = (transaction: Transaction, user: UserView) => Promise<void>;

/** User register (U-1, U-6). The caller checks the actor's permissions. */
@Injectable()
export class Users {
  constructor(
    private readonly database: Database,
    private readonly roles: Roles,
    private readonly audit: AuditLog,
    private readonly feed: ChangeFeed,
  ) {}

  /** 400 with one issue each for an unknown role, an unsuitable office, a look-alike name; 409 for values in use. */
  async create(order: NewUser, by: Actor, within: Within = () => Promise.resolve()): Promise<UserView> {
    const creation = this.database.transaction(async (transaction) => {
      await this.requirePost(transaction, order);
      const { username, name, role, primaryOfficeId, email, mobile, passwordHash } = order;
      const written = username.normalize('NFC');
      await requireUnlike(transaction, written);
      const [created] = await transaction.query<UserView>(sql`
        insert into user_account (user_id, username, username_key, username_skeleton, firstname, surname, role,
                                  primary_office_id, status, email, mobile, password_hash)
        values (${randomUUID()}, ${written}, ${usernameKey(written)}, ${usernameSkeleton(written)},
                ${name.firstname.normalize('NFC')}, ${name.surname.normalize('NFC')}, ${role}, ${primaryOfficeId},
                ${passwordHash === undefined ? 'pending' : 'active'}, ${email ?? null}, ${mobile ?? null},
                ${passwordHash ?? null})
        returning ${USER_VIEW}`);
      if (created === undefined) throw new Error('the user was not created');
      await this.audit.record(transaction, {
        ...by,
        operation: 'user.create',
        requestData: { username: created.username, role, primaryOfficeId },
        responseSummary: { userId: created.id, status: created.status },
      });
      await within(transaction, created);
      return created;
    });
    const user = await creation.catch(refuseTaken);
    await this.feed.heed('user_changed');
    return user;
  }

  find(id: Uuid): Promise<UserView | undefined> {
    return this.one<UserView>(USER_VIEW, sql`user_id = ${id}`);
  }

  /** Until the transaction ends, nobody changes the user or begins their session. */
  async lock(transaction: Queryable, id: Uuid): Promise<UserView | undefined> {
    return this.one<UserView>(USER_VIEW, sql`user_id = ${id} for no key update`, transaction);
  }

  findStored(id: Uuid, reader?: Queryable): Promise<StoredUser | undefined> {
    return this.one<StoredUser>(STORED_USER, sql`user_id = ${id}`, reader);
  }

  /** Ignores letter case. */
  findByUsername(username: string): Promise<StoredUser | undefined> {
    return this.one<StoredUser>(STORED_USER, sql`username_key = ${usernameKey(username)}`);
  }

  /** Whether an active national administrator exists or existed (U-8); unconfigured roles count. */
  async hadNationalAdministrator(): Promise<boolean> {
    const others = this.roles.all.map(({ id }) => id).filter((id) => !this.roles.nationalAdministrators.includes(id));
    const found = await this.database.query(sql`
      select from user_account where not roles_held <@ ${others}::text[] limit 1`);
    return found.length > 0;
  }

  page({ role, officeId, status, skip, count, within }: UserFilter): Promise<UserPage> {
    const condition = all([
      ...(role === undefined ? [] : [sql`role = ${role}`]),
      ...(officeId === undefined ? [] : [sql`primary_office_id = ${officeId}`]),
      ...(status === undefined ? [] : [sql`status = ${status}`]),
      ...(within === undefined ? [] : [within]),
    ]);
    return this.database.snapshot(async (snapshot) => {
      const [counted] = await snapshot.query<{ readonly total: number }>(
        sql`select count(*)::int as total from user_account where ${condition}`,
      );
      const results = await snapshot.query<UserView>(sql`
        select ${USER_VIEW} from user_account
         where user_id in (select user_id from (${rowsWithin(
           sql`select user_id, username_key, ${SIZE} as bytes from user_account where ${condition}
                order by username_key limit ${count} offset ${skip}`,
           sql`username_key`,
           MOST_PAGE_BYTES,
         )}) page)
         order by username_key`);
      return { results, total: counted?.total ?? 0 };
    });
  }

  /** Throws 400 with one issue each for an unknown role and an unsuitable office. */
  async requirePost(
    transaction: Queryable,
    { role, primaryOfficeId }: { readonly role?: string; readonly primaryOfficeId?: Uuid },
  ): Promise<void> {
    const isRole = role === undefined || this.roles.find(role) !== undefined;
    const isOffice = primaryOfficeId === undefined || (await isLocation(transaction, primaryOfficeId));
    const issues = [
      ...(isRole ? [] : [{ message: `role: must be one of ${this.roles.all.map(({ id }) => id).join(', ')}` }]),
      ...(isOffice ? [] : [{ message: 'primaryOfficeId: must be the id of a location' }]),
    ];
    if (issues.length > 0) throw new ServiceError('BAD_REQUEST', INVALID_INPUT, { issues });
  }

  private async one<Row>(columns: Sql, condition: Sql, reader: Queryable = this.database): Promise<Row | undefined> {
    const [row] = await reader.query<Row>(sql`select ${columns} from user_account where ${condition}`);
    return row;
  }
}

/** 400 for a user name that resembles another's (U-6), unless both are ASCII. The lock prevents races. */
export async function requireUnlike(transaction: Transaction, username: string, of?: Uuid): Promise<void> {
  await transaction.query(sql`select pg_advisory_xact_lock(${USERS_LOCK})`);
  const found = await transaction.query(sql`
    select from user_account
     where username_skeleton = ${usernameSkeleton(username)} and username_key <> ${usernameKey(username)}
       and user_id is distinct from ${of ?? null}::uuid
       and not (${isAscii(username)}::boolean and octet_length(username) = char_length(username)) limit 1`);
  if (found.length > 0) throw invalidInput('username: looks like the name of another user');
}

const isAscii = (text: string): boolean => Buffer.byteLength(text) === text.length;

const TAKEN_BY_INDEX: ReadonlyMap<unknown, string> = new Map([
  ['user_account_username_key_key', 'user name'],
  ['user_account_email', 'e-mail address'],
  ['user_account_mobile', 'mobile number'],
]);

/** Throws 409 for a unique violation, and other errors as they are. */
export function refuseTaken(error: unknown): never {
  const what = error instanceof Error && 'constraint' in error ? TAKEN_BY_INDEX.get(error.constraint) : undefined;
  throw what === undefined ? error : new ServiceError('CONFLICT', `Another user has this ${what}`);
}

export const noSuchUser = (id: string): ServiceError => new ServiceError('NOT_FOUND', `User not found with ID: ${id}`);

export interface UserFilter {
  readonly role?: string | undefined;
  readonly officeId?: Uuid | undefined;
  readonly status?: UserView['status'] | undefined;
  readonly skip: number;
  readonly count: number;
  /** Hides users the caller may not see. */
  readonly within?: Sql | undefined;
}

/** Limit on names and addresses in a page, which has at least one user. */
const MOST_PAGE_BYTES = MIB;

/** A page may be shorter than asked; the next one starts after its users. */
export interface UserPage {
  readonly results: readonly UserView[];
  readonly total: number;
}

const SIZE = sql`octet_length(concat(username, firstname, surname, email))`;
