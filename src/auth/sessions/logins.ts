import { randomInt } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { type CalendarDate, dayIn } from '../../kernel/domain/calendar.js';
import type { Uuid } from '../../kernel/domain/uuid.js';
import { ServiceError } from '../../kernel/errors/service-error.js';
import { sql } from '../../kernel/sql/sql.js';
import type { Actor } from '../../platform/audit/audit-entry.js';
import { type Config, CONFIG } from '../../platform/config/config.js';
import type { Queryable } from '../../platform/database/connection/queryable.js';
import { Database } from '../../platform/database/pools/database.js';
import { networkOf } from '../../platform/queue/network-of.js';
import { NoticeOutbox, recipientOf } from '../notices/notice-outbox.js';
import { equalInConstantTime } from '../secrets/secrets-box.js';
import { AccessTokens } from '../tokens/access-tokens.js';
import { Passwords } from '../users/passwords.js';
import { Users } from '../users/users.js';
import type { StoredUser } from '../users/user-view.js';
import { LoginSteps } from './login-steps.js';
import { SessionFamilies, type SessionTokens } from './session-families.js';

interface LoginBegun {
  readonly nonce: string;
  readonly mobile?: string;
  readonly email?: string;
}

/** A pending user's session begins at once. */
export type Authenticated = LoginBegun &
  ({ readonly status: 'active' } | ({ readonly status: 'pending' } & SessionTokens));

/** The code where none is sent (U-2). */
const NO_CODE = '000000';

/** Logins by password and code (U-2). The caller counts the request. */
@Injectable()
export class Logins {
  constructor(
    private readonly database: Database,
    private readonly users: Users,
    private readonly passwords: Passwords,
    private readonly steps: LoginSteps,
    private readonly sessions: SessionFamilies,
    private readonly notices: NoticeOutbox,
    @Inject(CONFIG)
    private readonly config: Pick<Config, 'TWO_FA_ENABLED' | 'CONFIG_SMS_CODE_EXPIRY_SECONDS' | 'TIMEZONE'>,
  ) {}

  /**
   * Begins a login and sends its code. Throws the same 401 after the same work for an unknown user and a missing or
   * wrong password; then 403 for a deactivated user or inactive office, 429 for too many open logins, 503 for a full
   * hash queue.
   */
  async authenticate(username: string, password: string, address: string): Promise<Authenticated> {
    const user = await this.users.findByUsername(username);
    const isRight = await this.passwords.matches(user?.passwordHash ?? undefined, password, networkOf(address));
    if (user === undefined || !isRight) throw wrongPassword();
    if (user.status === 'deactivated') throw new ServiceError('FORBIDDEN', 'The user is deactivated');
    if (await isOfficeClosed(this.database, user.primaryOfficeId, dayIn(this.config.TIMEZONE, new Date()))) {
      throw new ServiceError('FORBIDDEN', 'The office of the user is inactive');
    }
    const code = this.newCode();
    const begun = await this.database.transaction(async (transaction) => {
      const step = { flow: 'login', userId: user.id, ...(user.status === 'pending' ? {} : { code }) } as const;
      const nonce = await this.steps.begin(transaction, step);
      // Locked now: changes since the comparison have ended the earlier logins.
      const current = await this.users.findStored(user.id, transaction);
      if (current?.passwordHash !== user.passwordHash || current.status !== user.status) throw wrongPassword();
      const { mobile, email, status } = current;
      const known = { ...(mobile === null ? {} : { mobile }), ...(email === null ? {} : { email }) };
      if (status === 'pending') {
        return { nonce, ...known, status, ...(await this.sessions.begin({ userId: user.id }, transaction)) };
      }
      await this.send(transaction, current, code);
      return { nonce, ...known, status: 'active' } as const;
    });
    this.notices.announce();
    return begun;
  }

  /** Begins the session. Throws 401 for any reason, and uses up an attempt. */
  async verifyCode(nonce: string, code: string): Promise<SessionTokens> {
    const step = await this.steps.attempt(nonce, ['login']);
    const isRight = await this.steps.isCode(step ?? { codeHash: null }, nonce, code);
    if (step === undefined || !isRight) throw wrongCode();
    return this.database.transaction(async (transaction) => {
      // In this order, as a deactivation also locks the user before it deletes their steps.
      const tokens = await this.sessions.begin({ userId: step.userId }, transaction);
      const userId = await this.steps.take(transaction, nonce, { flow: 'login', passed: false });
      if (userId === undefined) throw wrongCode();
      return tokens;
    });
  }

  /** Replaces the code. Throws 401 where none can be sent. */
  async resendCode(nonce: string): Promise<void> {
    const code = this.newCode();
    await this.database.transaction(async (transaction) => {
      const userId = await this.steps.renewCode(transaction, nonce, code);
      const user = userId && (await this.users.findStored(userId, transaction));
      if (user === undefined) throw new ServiceError('UNAUTHORIZED', 'No code can be sent again for this nonce');
      await this.send(transaction, user, code);
    });
    this.notices.announce();
  }

  private newCode(): string {
    return this.config.TWO_FA_ENABLED ? String(randomInt(100_000, 1_000_000)) : NO_CODE;
  }

  private async send(transaction: Queryable, user: StoredUser, code: string): Promise<void> {
    if (!this.config.TWO_FA_ENABLED) return;
    const goodSeconds = this.config.CONFIG_SMS_CODE_EXPIRY_SECONDS;
    const body = { recipient: recipientOf(user), code };
    await this.notices.enqueue(transaction, { event: '2fa', userId: user.id, body, goodSeconds });
  }
}

const wrongPassword = (): ServiceError => new ServiceError('UNAUTHORIZED', 'username or password is wrong');
const wrongCode = (): ServiceError => new ServiceError('UNAUTHORIZED', 'nonce or code is wrong, or has expired');

/** Whether the latest version begun on the day is inactive (L-2), or none has begun. */
async function isOfficeClosed(database: Queryable, office: Uuid, day: CalendarDate): Promise<boolean> {
  const [row] = await database.query<{ readonly isClosed: boolean }>(sql`
    select coalesce((select status from place_version
                      where place = p.id and effective_from <= ${day}::date
                      order by effective_from desc limit 1), 'inactive') = 'inactive' as "isClosed"
      from place p where p.id = ${office} and exists (select from place_version where place = p.id)`);
  return row?.isClosed === true;
}

const SUPER_USER: Actor = { clientId: 'super-user', clientType: 'user' };

/** Set-up access until a national administrator has existed (U-8). */
@Injectable()
export class SuperUser {
  constructor(
    private readonly users: Users,
    private readonly tokens: AccessTokens,
    @Inject(CONFIG) private readonly config: Pick<Config, 'SUPER_USER_PASSWORD' | 'CONFIG_TOKEN_EXPIRY_SECONDS'>,
  ) {}

  /** For `SUPER_USER_PASSWORD`. Undefined, after the same work, for a wrong or absent one, and after set-up. */
  async authenticate(password: string, now: Date): Promise<string | undefined> {
    const isComplete = await this.users.hadNationalAdministrator();
    const expected = this.config.SUPER_USER_PASSWORD;
    const isRight = equalInConstantTime(password, expected?.reveal() ?? '') && expected !== undefined;
    if (isComplete || !isRight) return undefined;
    return this.tokens.administratorToken(
      {
        role: 'national-system-admin',
        subject: SUPER_USER.clientId,
        ttlSeconds: this.config.CONFIG_TOKEN_EXPIRY_SECONDS,
        by: SUPER_USER,
        operation: 'auth.superUserLogin',
      },
      now,
    );
  }
}
