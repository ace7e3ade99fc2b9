import { Inject, Injectable, Logger } from '@nestjs/common';
import { AuditLog } from '../../platform/audit/audit-log.js';
import { type Config, CONFIG } from '../../platform/config/config.js';
import { ChangeFeed } from '../../platform/database/connection/change-feed.js';
import { Database } from '../../platform/database/pools/database.js';
import type { Queryable } from '../../platform/database/connection/queryable.js';
import { newUuid, type Uuid } from '../../kernel/domain/uuid.js';
import { ServiceError } from '../../kernel/errors/service-error.js';
import { type Sql, sql } from '../../kernel/sql/sql.js';
import { AccessTokens } from '../tokens/access-tokens.js';
import { Roles } from '../users/roles.js';
import { endLogins } from './end-steps.js';
import { type RefreshClaims, RefreshTokens } from './refresh-tokens.js';
import { endFamilies } from './revocation.js';

/** Sessions that a user may have at a time: of more, those end that were not used for longest. */
const MOST_SESSIONS = 50;

/** How far the clock of a process may be ahead of the database's, and what it has signed still be revoked for good. */
const MOST_AHEAD_SECONDS = 86_400;

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

/** Throws if a session has asked too often. */
export type Admission = (familyId: Uuid) => Promise<void>;

/** For callers that count by themselves, or nothing. */
const admitted: Admission = () => Promise.resolve();

/** The state of a family that a refresh token stands for, and its user as he is now. */
interface FamilyState extends RefreshClaims {
  readonly expiresAt: Date;
  readonly role: string;
  readonly officeId: Uuid;
}

/**
 * Users' sessions: a family of refresh tokens for each login, with at most one that is good, apart from the grace of
 * its predecessor (U-3, U-7). The database's clock decides alone.
 */
@Injectable()
export class SessionFamilies {
  private readonly log = new Logger(SessionFamilies.name);

  constructor(
    private readonly database: Database,
    private readonly accessTokens: AccessTokens,
    private readonly refreshTokens: RefreshTokens,
    @Inject(CONFIG)
    private readonly config: Pick<
      Config,
      'CONFIG_REFRESH_TOKEN_EXPIRY_SECONDS' | 'CONFIG_REFRESH_TOKEN_GRACE_SECONDS' | 'CONFIG_TOKEN_EXPIRY_SECONDS'
    >,
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
        ? await this.database.transaction((own) => this.insert(own, user, now))
        : await this.insert(transaction, user, now);
    return this.tokensOf(state, now);
  }

  /**
   * Exchanges a refresh token for a new pair. The current one of its family is replaced, once however many bring it at
   * the same time. The one before it gets the pair of the same state while the grace lasts: for a second tab, and for
   * whoever never got the answer, such as when the server failed in between. One that has replaced the current one, as
   * far as the database knows, is newer than the database, which has lost that rotation: it is exchanged as well. Any
   * other has been used before, which only a thief or his victim does: it ends the family, is recorded as `auth.reuse`,
   * and is undefined like all that is no refresh token. `admit` is asked about the session once the token is known to
   * be ours, and before anything else is spent on it (Q-1).
   */
  async refresh(token: string, now = new Date(), admit: Admission = admitted): Promise<SessionTokens | undefined> {
    const claims = await this.refreshTokens.read(token, now);
    if (claims === undefined) return undefined;
    await admit(claims.familyId);
    const state = (await this.successor(claims, now)) ?? (await this.afterLostRotation(claims, now));
    if (state !== undefined) return this.tokensOf(state, now);
    await this.endReused(claims);
    return undefined;
  }

  /** Whether a refresh token is good now. */
  async isGood({ familyId, userId, jti, parentJti }: RefreshClaims): Promise<boolean> {
    const found = await this.database.query(
      sql`select from session_family f join user_account u using (user_id)
          where ${livingFamily(familyId, userId)} and u.status <> 'deactivated'
            and (f.current_jti in (${jti}, ${parentJti}) or ${this.isInGrace(jti)})`,
    );
    return found.length > 0;
  }

  /**
   * Ends a session of a user, records `auth.logout`, and has its access tokens refused in all processes. False if there
   * is no such session.
   */
  async end({ familyId, userId }: Pick<RefreshClaims, 'familyId' | 'userId'>): Promise<boolean> {
    const isEnded = await this.database.transaction(async (transaction) => {
      const ended = await endFamilies(transaction, livingFamily(familyId, userId));
      if (ended.length > 0) await this.record(transaction, 'auth.logout', userId, { familyId });
      return ended.length > 0;
    });
    await this.heed();
    return isEnded;
  }

  /**
   * Ends all sessions of a user, and logins that he has begun, within the transaction that deactivates him or changes
   * his password. No session begins while it runs. Call `heed()` after its commit.
   */
  async endAllOf(transaction: Queryable, userId: Uuid): Promise<void> {
    // `begin` waits for this lock, and then sees what the transaction has changed.
    await transaction.query(sql`select from user_account where user_id = ${userId} for no key update`);
    await endLogins(transaction, userId);
    await endFamilies(transaction, sql`f.user_id = ${userId}`);
  }

  /** Has this process refuse the tokens of ended sessions at once; others do so within two seconds (G-3). */
  heed(): Promise<void> {
    return this.feed.heed('token_revoked');
  }

  /** The family's state after a refresh with this token; undefined if the token is not good. */
  private successor(claims: RefreshClaims, now: Date): Promise<FamilyState | undefined> {
    return this.rotate(this.database, claims, { current: claims.jti, orElse: this.isInGrace(claims.jti), now });
  }

  /**
   * The same for a token of which the database knows nothing but that it replaces the current one: the database went
   * back to before that rotation, such as with a standby that was behind. Otherwise a token is signed once its rotation
   * is committed, and its parent is never the current one again. What goes on is this token's branch: its parent has
   * been replaced, and whoever brings it later has used it again.
   */
  private async afterLostRotation(claims: RefreshClaims, now: Date): Promise<FamilyState | undefined> {
    const { userId, familyId, jti, parentJti } = claims;
    if (parentJti === null) return undefined;
    const state = await this.database.transaction(async (transaction) => {
      const rotated = await this.rotate(transaction, claims, { current: parentJti, orElse: sql`false`, now });
      if (rotated !== undefined) await this.record(transaction, 'auth.lostRotation', userId, { familyId, jti });
      return rotated;
    });
    // Somebody else may have brought it at the same time.
    if (state === undefined) return this.successor(claims, now);
    this.log.warn(
      `the database has lost a rotation of a session of user ${userId}, which goes on with its newest token`,
    );
    return state;
  }

  /**
   * The family's state, with a new token in place of the current one if that is `current`, or as it is where `orElse`
   * holds. The parent of the new token is the one that was brought. An access token is signed for either.
   */
  private async rotate(
    queryable: Queryable,
    { userId, familyId, jti }: RefreshClaims,
    { current, orElse, now }: { readonly current: Uuid; readonly orElse: Sql; readonly now: Date },
  ): Promise<FamilyState | undefined> {
    const isCurrent = sql`f.current_jti = ${current}`;
    const rotated = (then: Sql, otherwise: Sql): Sql => sql`case when ${isCurrent} then ${then} else ${otherwise} end`;
    const [state] = await queryable.query<FamilyState>(sql`
      update session_family f set
        current_jti = ${rotated(sql`${newUuid()}::uuid`, sql`f.current_jti`)},
        previous_jti = ${rotated(sql`${jti}::uuid`, sql`f.previous_jti`)},
        rotated_at = ${rotated(sql`clock_timestamp()`, sql`f.rotated_at`)},
        expires_at = ${rotated(this.expiry, sql`f.expires_at`)},
        token_seconds = greatest(f.token_seconds, ${this.tokenSeconds(now)})
      from user_account u
      where ${livingFamily(familyId, userId)} and u.user_id = f.user_id and u.status <> 'deactivated'
        and (${isCurrent} or ${orElse})
      returning f.user_id as "userId", f.family_id as "familyId", f.current_jti as jti,
                f.previous_jti as "parentJti", f.expires_at as "expiresAt", u.role, u.primary_office_id as "officeId"`);
    return state;
  }

  /** Ends the family of a token that is not good, unless it has become so meanwhile, or its user is deactivated. */
  private async endReused({ userId, familyId, jti }: RefreshClaims): Promise<void> {
    const ended = await this.database.transaction(async (transaction) => {
      const isReused = sql`f.current_jti <> ${jti} and not coalesce(${this.isInGrace(jti)}, false)`;
      const reused = await endFamilies(transaction, sql`${livingFamily(familyId, userId)} and ${isReused}`);
      if (reused.length > 0) await this.record(transaction, 'auth.reuse', userId, { familyId, jti });
      return reused.length > 0;
    });
    if (!ended) return;
    this.log.warn(`a refresh token of user ${userId} was used again: its session has ended`);
    await this.heed();
  }

  private isInGrace(jti: Uuid): Sql {
    const grace = sql`make_interval(secs => ${this.config.CONFIG_REFRESH_TOKEN_GRACE_SECONDS})`;
    return sql`(f.previous_jti = ${jti} and f.rotated_at > clock_timestamp() - ${grace})`;
  }

  private get expiry(): Sql {
    return sql`clock_timestamp() + make_interval(secs => ${this.config.CONFIG_REFRESH_TOKEN_EXPIRY_SECONDS})`;
  }

  /** How long an access token lives that is signed at `now`, which may be ahead, by the clock of the database. */
  private tokenSeconds(now: Date): Sql {
    const ahead = sql`ceil(extract(epoch from to_timestamp(${now.getTime() / 1_000}::float8) - clock_timestamp()))`;
    return sql`(${this.config.CONFIG_TOKEN_EXPIRY_SECONDS}::int
                + least(greatest(${ahead}, 0), ${MOST_AHEAD_SECONDS}::int)::int)`;
  }

  private record(
    transaction: Queryable,
    operation: 'auth.logout' | 'auth.lostRotation' | 'auth.reuse',
    userId: Uuid,
    requestData: object,
  ): Promise<void> {
    const entry = { clientId: userId, clientType: 'user', operation, requestData, responseSummary: null } as const;
    return this.audit.record(transaction, entry);
  }

  private async insert(transaction: Queryable, { userId }: SessionUser, now: Date): Promise<FamilyState> {
    const familyId = newUuid();
    const jti = newUuid();
    const [begun] = await transaction.query<Pick<FamilyState, 'expiresAt' | 'role' | 'officeId'>>(sql`
      with of_user as (
        select user_id, role, primary_office_id from user_account
        where user_id = ${userId} and status <> 'deactivated' for share
      ),
      begun as (
        insert into session_family (family_id, user_id, current_jti, expires_at, token_seconds)
        select ${familyId}::uuid, user_id, ${jti}::uuid, ${this.expiry}, ${this.tokenSeconds(now)}
        from of_user returning expires_at
      )
      select expires_at as "expiresAt", role, primary_office_id as "officeId" from begun, of_user`);
    if (begun === undefined) throw new ServiceError('UNAUTHORIZED', 'The user is not active');
    const surplus = await endFamilies(
      transaction,
      sql`f.family_id in (select family_id from session_family where user_id = ${userId}
                          order by coalesce(rotated_at, created_at) desc offset ${MOST_SESSIONS})`,
    );
    await this.audit.record(transaction, {
      clientId: userId,
      clientType: 'user',
      operation: 'auth.login',
      requestData: {},
      responseSummary: { familyId },
    });
    for (const { familyId: ended } of surplus.filter(({ wasLiving }) => wasLiving)) {
      await this.record(transaction, 'auth.logout', userId, { familyId: ended, replacedBy: familyId });
    }
    return { userId, familyId, jti, parentJti: null, ...begun };
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

/** The family `f` of a user, unless it has expired. */
const livingFamily = (familyId: Uuid, userId: Uuid): Sql =>
  sql`f.family_id = ${familyId} and f.user_id = ${userId} and f.expires_at > clock_timestamp()`;
