import { randomUUID } from 'node:crypto';

import { Inject, Injectable } from '@nestjs/common';

import { AuditLog } from '../../audit/audit-log.js';
import type { Config } from '../../config/config.js';
import { CONFIG } from '../../config/config.js';
import { ChangeFeed } from '../../database/connection/change-feed.js';
import { Database } from '../../database/pools/database.js';
import type { Queryable } from '../../database/queryable.js';
import type { Uuid } from '../../domain/uuid.js';
import { ServiceError } from '../../errors/service-error.js';
import { sql } from '../../sql/sql.js';
import { AccessTokens } from '../token/access-tokens.js';
import { Roles } from '../users/roles.js';
import { RefreshTokens } from './refresh-tokens.js';
import { endFamilies } from './revocation.js';

/** Sessions that a user may have at a time: of more, those end that were not used for longest. */
const MOST_SESSIONS = 50;

/** Whose session it is; his role and office are read with it. */
export interface SessionUser {
  readonly userId: Uuid;
}

/** What a login and each refresh answer (U-2). */
export interface SessionTokens {
  /** The access token. */
  readonly token: string;
  readonly refreshToken: string;
}

/** The state of a family that a refresh token stands for, and its user as he is now. */
interface FamilyState {
  readonly userId: Uuid;
  readonly familyId: Uuid;
  readonly jti: Uuid;
  readonly expiresAt: Date;
  readonly role: string;
  readonly officeId: Uuid;
}

/**
 * Users' sessions: a family of refresh tokens for each login, with at most one that is good, apart from the grace of its
 * predecessor (U-3, U-7). The database's clock decides alone.
 */
@Injectable()
export class SessionFamilies {
  constructor(
    private readonly database: Database,
    private readonly accessTokens: AccessTokens,
    private readonly refreshTokens: RefreshTokens,
    @Inject(CONFIG)
    private readonly config: Pick<Config, 'CONFIG_REFRESH_TOKEN_EXPIRY_SECONDS' | 'CONFIG_TOKEN_EXPIRY_SECONDS'>,
    private readonly roles: Roles,
    private readonly feed: ChangeFeed,
    private readonly audit: AuditLog,
  ) {}

  /**
   * Begins the session of a user who has shown everything that a login asks for, and records `auth.login`. Within
   * `transaction`, if it is given, with which the login's step is used up. Throws 401 for a user who is deactivated, or
   * is being so.
   */
  async begin(user: SessionUser, transaction?: Queryable, now = new Date()): Promise<SessionTokens> {
    const state =
      transaction === undefined
        ? await this.database.transaction((own) => this.insert(own, user))
        : await this.insert(transaction, user);
    return this.tokensOf(state, now);
  }

  /** Ends a session, records `auth.logout`, and has its access tokens refused in all processes. */
  async end(familyId: Uuid): Promise<void> {
    await this.database.transaction(async (transaction) => {
      const ended = await this.endWhere(transaction, sql`f.family_id = ${familyId}`);
      for (const { userId } of ended) {
        await this.audit.record(transaction, {
          ...{ clientId: userId, clientType: 'user', operation: 'auth.logout' },
          requestData: { familyId },
          responseSummary: null,
        });
      }
    });
    await this.heed();
  }

  /**
   * Ends all sessions of a user, and logins that he has begun, within the transaction that deactivates him or changes his
   * password. No session begins while it runs. Call `heed()` after its commit.
   */
  async endAllOf(transaction: Queryable, userId: Uuid): Promise<void> {
    // `begin` waits for this lock, and then sees what the transaction has changed.
    await transaction.query(sql`select from user_account where user_id = ${userId} for no key update`);
    // One that is being used up now waits for the lock in its turn.
    await transaction.query(sql`
      delete from login_step where nonce_hash in (
        select nonce_hash from login_step where user_id = ${userId} and flow = 'login' for update skip locked)`);
    await this.endWhere(transaction, sql`f.user_id = ${userId}`);
  }

  /** Has this process refuse the tokens of ended sessions at once; others do so within two seconds (G-3). */
  heed(): Promise<void> {
    return this.feed.heed('token_revoked');
  }

  private endWhere(transaction: Queryable, where: Parameters<typeof endFamilies>[1]): ReturnType<typeof endFamilies> {
    return endFamilies(transaction, where, this.config.CONFIG_TOKEN_EXPIRY_SECONDS);
  }

  private async insert(transaction: Queryable, { userId }: SessionUser): Promise<FamilyState> {
    const familyId = newUuid();
    const jti = newUuid();
    const [begun] = await transaction.query<Pick<FamilyState, 'expiresAt' | 'role' | 'officeId'>>(sql`
      with of_user as (
        select user_id, role, primary_office_id from user_account
        where user_id = ${userId} and status <> 'deactivated' for share
      ),
      begun as (
        insert into session_family (family_id, user_id, current_jti, expires_at)
        select ${familyId}::uuid, user_id, ${jti}::uuid,
               clock_timestamp() + make_interval(secs => ${this.config.CONFIG_REFRESH_TOKEN_EXPIRY_SECONDS})
        from of_user returning expires_at
      )
      select expires_at as "expiresAt", role, primary_office_id as "officeId" from begun, of_user`);
    if (begun === undefined) throw new ServiceError('UNAUTHORIZED', 'The user is not active');
    await this.endWhere(
      transaction,
      sql`f.family_id in (select family_id from session_family where user_id = ${userId}
                          order by coalesce(rotated_at, created_at) desc offset ${MOST_SESSIONS})`,
    );
    await this.audit.record(transaction, {
      ...{ clientId: userId, clientType: 'user', operation: 'auth.login' },
      requestData: {},
      responseSummary: { familyId },
    });
    return { userId, familyId, jti, ...begun };
  }

  private async tokensOf(state: FamilyState, now: Date): Promise<SessionTokens> {
    const scopes = this.roles.find(state.role)?.scopes ?? [];
    const [token, refreshToken] = await Promise.all([
      this.accessTokens.sessionToken({ ...state, scopes }, now),
      this.refreshTokens.sign(state, now),
    ]);
    return { token, refreshToken };
  }
}

const newUuid = (): Uuid => randomUUID() as Uuid;
