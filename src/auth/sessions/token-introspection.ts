import { Injectable } from '@nestjs/common';
import type { Caller } from '../../kernel/domain/scopes/caller.js';
import { callerOf, grantsOf } from '../access/scope-permissions.js';
import type { AuthenticatedClient } from '../clients/client-authentication.js';
import type { AccessClaims, RegisteredClaims } from '../tokens/access-claims.js';
import { IssuedTokens } from '../tokens/issued-tokens.js';
import { RefreshTokens } from './refresh-tokens.js';
import { SessionFamilies } from './session-families.js';
import { TokenStanding } from './token-standing.js';

type ToldClaims = Partial<Pick<RegisteredClaims, 'iss' | 'sub' | 'aud' | 'exp' | 'iat' | 'jti'>>;

/** RFC 7662 2.2: an inactive answer tells nothing else, also about tokens the asker may not see. */
export type Introspection =
  | { readonly active: false }
  | (ToldClaims & {
      readonly active: true;
      /** Current scopes, space-separated; absent for a refresh token. */
      readonly scope?: string;
      /** Only for a client's token. */
      readonly client_id?: string;
      /** Only for an access token. */
      readonly token_type?: 'Bearer';
      readonly userType: string;
      /** The session user's current role and office. */
      readonly role?: string;
      readonly office?: string;
    });

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
  async of(token: string, asker: AuthenticatedClient): Promise<Introspection> {
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
  ): Promise<Introspection> {
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

  private async ofRefreshToken(token: string, now: Date): Promise<Introspection> {
    const named = await this.refreshTokens.read(token, now);
    if (named === undefined || !(await this.families.isGood(named))) return INACTIVE;
    return { active: true, ...told(named), userType: 'user' };
  }
}

const told = ({ iss, sub, aud, exp, iat, jti }: RegisteredClaims): ToldClaims =>
  Object.fromEntries(Object.entries({ iss, sub, aud, exp, iat, jti }).filter(([, value]) => value !== undefined));
