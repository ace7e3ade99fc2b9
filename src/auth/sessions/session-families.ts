import { Inject, Injectable, Logger } from '@nestjs/common';
import { newUuid, parseUuid, type Uuid } from '../../kernel/domain/uuid.js';
import { ServiceError } from '../../kernel/errors/service-error.js';
import { type Sql, sql } from '../../kernel/sql/sql.js';
import { AuditLog } from '../../platform/audit/audit-log.js';
import { type Config, CONFIG } from '../../platform/config/config.js';
import { ChangeFeed } from '../../platform/database/connection/change-feed.js';
import type { Queryable } from '../../platform/database/connection/queryable.js';
import { Database } from '../../platform/database/pools/database.js';
import { readRegisteredClaims, type RegisteredClaims } from '../tokens/access-claims.js';
import { AccessTokens } from '../tokens/access-tokens.js';
import { IssuedTokens } from '../tokens/issued-tokens.js';
import { SigningKeys, signToken } from '../tokens/signing-keys.js';
import { Roles } from '../users/roles.js';
import { endLogins } from './login-steps.js';
import { endFamilies } from './revoked-tokens.js';

/** The refresh token audience; access tokens never have it. */
const REFRESH_AUDIENCE = 'opencrvs:auth-refresh';

export interface RefreshClaims {
  readonly userId: Uuid;
  readonly familyId: Uuid;
  readonly jti: Uuid;
  /** The replaced token; null for a login's own and for tokens of earlier releases. */
  readonly parentJti: Uuid | null;
}

export interface ReadRefreshToken extends RegisteredClaims, RefreshClaims {
  readonly jti: Uuid;
}

interface RefreshTokenOrder extends RefreshClaims {
  readonly expiresAt: Date;
}

/** JWTs for this service, exchanged for another pair of tokens (U-3). */
@Injectable()
export class RefreshTokens {
  constructor(
    private readonly keys: SigningKeys,
    private readonly issued: IssuedTokens,
    @Inject(CONFIG) private readonly config: Pick<Config, 'JWT_ISSUER'>,
  ) {}

  sign({ userId, familyId, jti, parentJti, expiresAt }: RefreshTokenOrder, now: Date): Promise<string> {
    const claims = {
      sub: userId,
      userType: 'user',
      familyId,
      jti,
      ...(parentJti !== null && { parent: parentJti }),
      iss: this.config.JWT_ISSUER,
      aud: [REFRESH_AUDIENCE],
      iat: Math.floor(now.getTime() / 1_000),
      exp: Math.floor(expiresAt.getTime() / 1_000),
    };
    return signToken(this.keys, claims);
  }

  /** Undefined for anything but a refresh token. The family decides whether it is still good. */
  read(token: string, now: Date): Promise<ReadRefreshToken | undefined> {
    return this.issued.refreshClaims(token, now, { audience: REFRESH_AUDIENCE, read: readRefreshClaims });
  }
}

function readRefreshClaims(claims: unknown): ReadRefreshToken | undefined {
  const registered = readRegisteredClaims(claims);
  if (registered === undefined) return undefined;
  const { userType, familyId: family, parent } = claims as Readonly<Record<string, unknown>>;
  const [userId, familyId, jti] = [registered.sub, family, registered.jti].map(parseUuid);
  return userType !== 'user' || userId === undefined || familyId === undefined || jti === undefined
    ? undefined
    : { ...registered, userId, familyId, jti, parentJti: parseUuid(parent) ?? null };
}

/** The least recently used sessions end first. */
const MOST_SESSIONS = 50;

/** Clock lead over the database up to which revocations hold. */
const MOST_AHEAD_SECONDS = 86_400;

export interface SessionUser {
  readonly userId: Uuid;
}

export interface SessionTokens {
  readonly token: string;
  readonly refreshToken: string;
}

/** Throws if a session has asked too often. */
export type Admission = (familyId: Uuid) => Promise<void>;

/** For callers that count by themselves, or not at all. */
const admitted: Admission = () => Promise.resolve();

interface FamilyState extends RefreshClaims {
  readonly expiresAt: Date;
  readonly role: string;
  readonly officeId: Uuid;
}

/** One family of refresh tokens per login: a good token, and its predecessor's grace (U-3, U-7). */
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

  /** Within the transaction of the login's step; records `auth.login`. Throws 401 for a deactivated user. */
  async begin(user: SessionUser, transaction?: Queryable, now = new Date()): Promise<SessionTokens> {
    const state =
      transaction === undefined
        ? await this.database.transaction((own) => this.insert(own, user, now))
        : await this.insert(transaction, user, now);
    return this.tokensOf(state, now);
  }

  /**
   * Exchanges a refresh token; concurrent requests rotate once. Within the grace, its predecessor gets the same pair,
   * for a second tab or a lost answer. A successor that the database lost is exchanged too. Any other is reuse, hence
   * theft: the family ends, recorded as `auth.reuse`. Undefined for reused and invalid tokens. `admit` runs after
   * verification, before other work (Q-1).
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

  async isGood({ familyId, userId, jti, parentJti }: RefreshClaims): Promise<boolean> {
    const found = await this.database.query(
      sql`select from session_family f join user_account u using (user_id)
          where ${livingFamily(familyId, userId)} and u.status <> 'deactivated'
            and (f.current_jti in (${jti}, ${parentJti}) or ${this.isInGrace(jti)})`,
    );
    return found.length > 0;
  }

  /** Records `auth.logout`, and revokes the access tokens everywhere. False without such a session. */
  async end({ familyId, userId }: Pick<RefreshClaims, 'familyId' | 'userId'>): Promise<boolean> {
    const isEnded = await this.database.transaction(async (transaction) => {
      const ended = await endFamilies(transaction, livingFamily(familyId, userId));
      if (ended.length > 0) await this.record(transaction, 'auth.logout', userId, { familyId });
      return ended.length > 0;
    });
    await this.heed();
    return isEnded;
  }

  /** Also ends open logins; none begins until the transaction ends. Call `heed()` after the commit. */
  async endAllOf(transaction: Queryable, userId: Uuid): Promise<void> {
    // `begin` waits for this lock, then sees the transaction's changes.
    await transaction.query(sql`select from user_account where user_id = ${userId} for no key update`);
    await endLogins(transaction, userId);
    await endFamilies(transaction, sql`f.user_id = ${userId}`);
  }

  /** This process refuses ended sessions at once; others follow within two seconds (G-3). */
  heed(): Promise<void> {
    return this.feed.heed('token_revoked');
  }

  /** Undefined if the token is not good. */
  private successor(claims: RefreshClaims, now: Date): Promise<FamilyState | undefined> {
    return this.rotate(this.database, claims, { current: claims.jti, orElse: this.isInGrace(claims.jti), now });
  }

  /**
   * For an unknown token that replaces the current one: a failover lost its rotation. Tokens are otherwise signed after
   * the commit, and parents never become current again. Later use of its parent is reuse.
   */
  private async afterLostRotation(claims: RefreshClaims, now: Date): Promise<FamilyState | undefined> {
    const { userId, familyId, jti, parentJti } = claims;
    if (parentJti === null) return undefined;
    const state = await this.database.transaction(async (transaction) => {
      const rotated = await this.rotate(transaction, claims, { current: parentJti, orElse: sql`false`, now });
      if (rotated !== undefined) await this.record(transaction, 'auth.lostRotation', userId, { familyId, jti });
      return rotated;
    });
    // A concurrent request may have brought it.
    if (state === undefined) return this.successor(claims, now);
    this.log.warn(
      `the database has lost a rotation of a session of user ${userId}, which goes on with its newest token`,
    );
    return state;
  }

  /** Replaces the current token if it is `current`; returns the state unchanged where `orElse` holds. */
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

  /** Does nothing if the token is good by now, or the user is deactivated. */
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

  /** Lifetime, by the database's clock, of an access token signed at `now`, which may be ahead. */
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

/** Unexpired family `f` of a user. */
const livingFamily = (familyId: Uuid, userId: Uuid): Sql =>
  sql`f.family_id = ${familyId} and f.user_id = ${userId} and f.expires_at > clock_timestamp()`;
