import { Inject, Injectable } from '@nestjs/common';
import type { Caller } from '../../kernel/domain/scopes/caller.js';
import { callerOf, grantsOf } from '../access/scope-permissions.js';
import type { AuthenticatedClient } from '../clients/client-authentication.js';
import { ClientStatus } from '../clients/client-status.js';
import type { AccessClaims, CallerClaims, RegisteredClaims } from '../tokens/access-claims.js';
import { IssuedTokens } from '../tokens/issued-tokens.js';
import { type KnownUser, UserDirectory } from '../users/user-directory.js';
import { RevokedTokens } from './revoked-tokens.js';
import { RefreshTokens, SessionFamilies } from './session-families.js';

/** Standing of an access token, from memory: revocation, session, client, and the user's permissions (G-3, U-7). */
@Injectable()
export class TokenStanding {
  constructor(
    @Inject(ClientStatus)
    private readonly clients: Pick<ClientStatus, 'isDeactivated' | 'holdings' | 'current' | 'refresh'>,
    @Inject(UserDirectory) private readonly users: Pick<UserDirectory, 'find' | 'current' | 'refresh'>,
    @Inject(RevokedTokens) private readonly revoked: Pick<RevokedTokens, 'isRevoked' | 'current'>,
  ) {}

  /** Await first: the database is read while the change feed is down (G-3). */
  async current(): Promise<void> {
    await Promise.all([this.clients.current(), this.users.current(), this.revoked.current()]);
  }

  /** Undefined if the token is no longer good. */
  callerNow(claims: CallerClaims, caller: Caller): Caller | undefined {
    if (this.revoked.isRevoked(claims)) return undefined;
    switch (claims.kind) {
      case 'session':
        return userNow(claims.sub, this.users.find(claims.userId));
      case 'client':
        return this.clients.isDeactivated(claims.sub) ? undefined : this.ofClient(caller);
      case 'service':
      case 'user':
        return caller;
    }
  }

  private ofClient(caller: Caller): Caller {
    const all = this.clients.holdings(caller.subject);
    const isNarrowed = all?.scopes.some((scope) => !caller.scopes.includes(scope)) === true;
    return isNarrowed ? { ...caller, narrowedFrom: all } : caller;
  }

  /** Also looks up users and clients that another process just created. */
  async admit(claims: CallerClaims, caller: Caller): Promise<Caller | undefined> {
    if (claims.kind === 'session') {
      if (this.users.find(claims.userId) === undefined) await this.users.refresh();
    } else if (claims.kind === 'client' && this.clients.isDeactivated(claims.sub) && isJustIssued(claims)) {
      await this.clients.refresh();
    }
    return this.callerNow(claims, caller);
  }
}

/** Longer than change propagation; older tokens cause no look-up. */
const HEARD_OF_SECONDS = 10;

const isJustIssued = ({ iat }: CallerClaims): boolean =>
  iat !== undefined && iat > Date.now() / 1_000 - HEARD_OF_SECONDS;

/** With current role scopes and office (U-7); undefined unless active. */
function userNow(subject: string, user: KnownUser | undefined): Caller | undefined {
  if (user?.status !== 'active') return undefined;
  const { role, scopes, grants, officeId: office } = user;
  return { subject, userType: 'user', office, role, scopes, grants };
}

/** RFC 7662 2.2: an inactive answer tells nothing else, also about tokens the asker may not see. */
const INACTIVE = { active: false } as const;

/** Introspection for clients, such as a gateway (U-10). */
@Injectable()
export class TokenIntrospection {
  constructor(
    private readonly issued: IssuedTokens,
    private readonly refreshTokens: RefreshTokens,
    private readonly families: SessionFamilies,
    private readonly standing: TokenStanding,
  ) {}

  /** Own tokens in full; others' with the scope `token.introspect`. */
  async of(token: string, asker: AuthenticatedClient): Promise<object> {
    const now = new Date();
    const mayAskAll = grantsOf(asker.scopes, () => undefined).some(
      ({ permission }) => permission === 'token.introspect',
    );
    const claims = await this.issued.accessClaims(token, now);
    if (claims !== undefined) return this.ofAccessToken(claims, asker, mayAskAll);
    return mayAskAll ? this.ofRefreshToken(token, now) : INACTIVE;
  }

  async isValid(token: string): Promise<boolean> {
    const claims = await this.issued.accessClaims(token, new Date());
    return claims !== undefined && (await this.callerOf(claims)) !== undefined;
  }

  private async ofAccessToken(
    claims: AccessClaims,
    { clientId }: AuthenticatedClient,
    mayAskAll: boolean,
  ): Promise<object> {
    const isOwn = claims.userType === 'system' && claims.sub === clientId;
    const caller = isOwn || mayAskAll ? await this.callerOf(claims) : undefined;
    if (caller === undefined) return INACTIVE;
    const { subject, userType, scopes, role, office } = caller;
    return {
      active: true,
      scope: scopes.join(' '),
      token_type: 'Bearer',
      ...told(claims),
      userType,
      ...(userType === 'system' && { client_id: subject }),
      ...(role !== undefined && { role }),
      ...(office !== undefined && { office }),
    };
  }

  private async callerOf(claims: AccessClaims): Promise<Caller | undefined> {
    if (claims.kind === 'nobody') return undefined;
    await this.standing.current();
    return this.standing.admit(
      claims,
      callerOf(claims, () => undefined),
    );
  }

  private async ofRefreshToken(token: string, now: Date): Promise<object> {
    const named = await this.refreshTokens.read(token, now);
    if (named === undefined || !(await this.families.isGood(named))) return INACTIVE;
    return { active: true, ...told(named), userType: 'user' };
  }
}

const told = ({ iss, sub, aud, exp, iat, jti }: RegisteredClaims): object =>
  Object.fromEntries(Object.entries({ iss, sub, aud, exp, iat, jti }).filter(([, value]) => value !== undefined));
