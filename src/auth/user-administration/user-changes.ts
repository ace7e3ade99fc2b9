import { Injectable } from '@nestjs/common';
import { usernameKey, usernameSkeleton } from '../../kernel/domain/text.js';
import type { Uuid } from '../../kernel/domain/uuid.js';
import { ServiceError } from '../../kernel/errors/service-error.js';
import { sql } from '../../kernel/sql/sql.js';
import type { Actor } from '../../platform/audit/audit-entry.js';
import { AuditLog } from '../../platform/audit/audit-log.js';
import { ChangeFeed } from '../../platform/database/connection/change-feed.js';
import type { Transaction } from '../../platform/database/pools/connections.js';
import { Database } from '../../platform/database/pools/database.js';
import { NoticeOutbox } from '../notices/notice-outbox.js';
import { endSteps } from '../sessions/login-steps.js';
import { RecoveryLinks } from '../sessions/recovery-links.js';
import { SessionFamilies } from '../sessions/session-families.js';
import { Passwords } from '../users/passwords.js';
import { noSuchUser, refuseTaken, requireUnlike, Users } from '../users/users.js';
import { USER_VIEW, type UserView } from '../users/user-view.js';
import type { NewUserDto } from './new-user.dto.js';

/** Omitted members stay; null removes an address or number. */
export interface UserChange {
  readonly username?: string | undefined;
  readonly name?: UserView['name'] | undefined;
  readonly role?: string | undefined;
  readonly primaryOfficeId?: Uuid | undefined;
  readonly email?: string | null | undefined;
  readonly mobile?: string | null | undefined;
}

/** Throws if the actor may not; its facts hold until the write. */
export type Permit = (before: UserView, after: UserView) => void;

/** User changes (U-6), which hold here at once and elsewhere within two seconds (U-7). */
@Injectable()
export class UserChanges {
  constructor(
    private readonly database: Database,
    private readonly users: Users,
    private readonly passwords: Passwords,
    private readonly links: RecoveryLinks,
    private readonly sessions: SessionFamilies,
    private readonly notices: NoticeOutbox,
    private readonly audit: AuditLog,
    private readonly feed: ChangeFeed,
  ) {}

  /** Without a password, a link is sent. Throws as `Users.create`, and 503 when the hash queue is full. */
  async register({ password, ...order }: NewUserDto, by: Actor): Promise<UserView> {
    if (password !== undefined) {
      return this.users.create({ ...order, passwordHash: await this.passwords.hash(password) }, by);
    }
    const user = await this.users.create(order, by, (transaction, created) =>
      this.links.sendFirst(transaction, created),
    );
    this.notices.announce();
    return user;
  }

  /** A changed address or number ends links and codes sent to the former. 404; 400 and 409 as `Users.create`. */
  async update(id: Uuid, change: UserChange, by: Actor, permit: Permit = () => undefined): Promise<UserView> {
    const user = await this.change(id, async (transaction, before) => {
      const after = changed(before, change);
      permit(before, after);
      const differences = differencesOf(before, after);
      if (differences === undefined) return before;
      await this.users.requirePost(transaction, {
        ...(after.role !== before.role && { role: after.role }),
        ...(after.primaryOfficeId !== before.primaryOfficeId && { primaryOfficeId: after.primaryOfficeId }),
      });
      if (after.username !== before.username) await requireUnlike(transaction, after.username, id);
      const written = await this.write(transaction, after);
      if (after.email !== before.email || after.mobile !== before.mobile) await endSteps(transaction, id);
      await this.audit.record(transaction, {
        ...by,
        operation: 'user.update',
        requestData: { id, changed: differences },
        responseSummary: { userId: id },
      });
      return written;
    });
    await this.feed.heed('user_changed');
    return user;
  }

  /** Deactivation ends sessions and links; reactivation gives active with a password, otherwise pending. */
  async setStatus(
    id: Uuid,
    status: 'active' | 'deactivated',
    by: Actor,
    permit: Permit = () => undefined,
  ): Promise<UserView> {
    const user = await this.change(id, async (transaction, before) => {
      permit(before, { ...before, status });
      if ((before.status === 'deactivated') === (status === 'deactivated')) return before;
      const [after = before] = await transaction.query<UserView>(sql`
        update user_account
           set status = case when ${status} = 'active' and password_hash is null then 'pending' else ${status} end
         where user_id = ${id} returning ${USER_VIEW}`);
      if (status === 'deactivated') {
        await this.sessions.endAllOf(transaction, id);
        await endSteps(transaction, id);
      }
      await this.audit.record(transaction, {
        ...by,
        operation: status === 'active' ? 'user.activate' : 'user.deactivate',
        requestData: { id },
        responseSummary: { userId: id, status: after.status },
      });
      return after;
    });
    await Promise.all([this.feed.heed('user_changed'), this.sessions.heed()]);
    return user;
  }

  /** Deletes password and security questions, ends sessions, links and steps, and sends a link (U-7). */
  async resetPassword(id: Uuid, by: Actor, permit: Permit = () => undefined): Promise<UserView> {
    const user = await this.change(id, async (transaction, before) => {
      permit(before, before);
      if (before.status === 'deactivated') throw new ServiceError('CONFLICT', 'The user is deactivated');
      const [after = before] = await transaction.query<UserView>(sql`
        update user_account set password_hash = null, security_questions = '[]'
         where user_id = ${id} returning ${USER_VIEW}`);
      await this.sessions.endAllOf(transaction, id);
      await endSteps(transaction, id);
      await this.links.sendFirst(transaction, before);
      await this.audit.record(transaction, {
        ...by,
        operation: 'user.resetPassword',
        requestData: { id },
        responseSummary: { userId: id },
      });
      return after;
    });
    this.notices.announce();
    await Promise.all([this.feed.heed('user_changed'), this.sessions.heed()]);
    return user;
  }

  private change(id: Uuid, work: (transaction: Transaction, before: UserView) => Promise<UserView>): Promise<UserView> {
    return this.database.transaction(async (transaction) => {
      const before = await this.users.lock(transaction, id);
      if (before === undefined) throw noSuchUser(id);
      return work(transaction, before);
    });
  }

  private async write(transaction: Transaction, after: UserView): Promise<UserView> {
    const { id, username, name, role, primaryOfficeId, email, mobile } = after;
    const [written = after] = await transaction
      .query<UserView>(
        sql`
        update user_account
           set username = ${username}, username_key = ${usernameKey(username)},
               username_skeleton = ${usernameSkeleton(username)}, firstname = ${name.firstname},
               surname = ${name.surname}, role = ${role}, primary_office_id = ${primaryOfficeId}, email = ${email},
               mobile = ${mobile}
         where user_id = ${id} returning ${USER_VIEW}`,
      )
      .catch(refuseTaken);
    return written;
  }
}

function changed(before: UserView, { username, name, role, primaryOfficeId, email, mobile }: UserChange): UserView {
  return {
    ...before,
    username: username?.normalize('NFC') ?? before.username,
    name:
      name === undefined
        ? before.name
        : { firstname: name.firstname.normalize('NFC'), surname: name.surname.normalize('NFC') },
    role: role ?? before.role,
    primaryOfficeId: primaryOfficeId ?? before.primaryOfficeId,
    email: email === undefined ? before.email : email,
    mobile: mobile === undefined ? before.mobile : mobile,
  };
}

/** Old and new values for the audit log, but of personal data only that they changed. Undefined if nothing did. */
function differencesOf(before: UserView, after: UserView): object | undefined {
  const told = (['username', 'role', 'primaryOfficeId'] as const)
    .filter((name) => before[name] !== after[name])
    .map((name) => [name, { from: before[name], to: after[name] }]);
  const untold = [
    ...(before.name.firstname === after.name.firstname && before.name.surname === after.name.surname ? [] : ['name']),
    ...(['email', 'mobile'] as const).filter((name) => before[name] !== after[name]),
  ].map((name) => [name, true]);
  const differences = [...told, ...untold];
  return differences.length === 0 ? undefined : (Object.fromEntries(differences) as object);
}
