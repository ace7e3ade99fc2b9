import { Inject, Injectable } from '@nestjs/common';
import { type Config, CONFIG } from '../../platform/config/config.js';
import { parseUuid, type Uuid } from '../../kernel/domain/uuid.js';
import { IssuedTokens } from '../tokens/issued-tokens.js';
import { readRegisteredClaims, type RegisteredClaims } from '../tokens/access-claims.js';
import { SigningKeys, signToken } from '../tokens/signing-keys.js';

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
