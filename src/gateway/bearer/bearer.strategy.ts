import type { KeyObject } from 'node:crypto';
import { Inject, Injectable, Logger, type Type } from '@nestjs/common';
import { PassportStrategy } from '@nestjs/passport';
import type { FastifyRequest } from 'fastify';
import { decodeJwt, decodeProtectedHeader } from 'jose';
import { Strategy, type StrategyOptions } from 'passport-jwt';
import type { Caller } from '../../kernel/domain/scopes/caller.js';
import { callerOf, UndecodableScopes } from '../../auth/access/scope-permissions.js';
import { SigningKeys } from '../../auth/tokens/signing-keys.js';
import { isInForce, readAccessClaims } from '../../auth/tokens/access-claims.js';
import { type Config, CONFIG } from '../../platform/config/config.js';
import { bearerCredentials, VerifiedTokens } from './verified-tokens.js';

/** The name under which passport knows the strategy. */
export const BEARER = 'bearer';

/** `isInForce` checks `nbf`, with a tolerance that `exp` does not have. */
const WITHOUT_NBF = { jsonWebTokenOptions: { ignoreNotBefore: true } };

/** Those of passport-jwt. Its types do not know that a key may be a KeyObject, several times faster than PEM text. */
interface Options extends Omit<StrategyOptions, 'secretOrKey' | 'secretOrKeyProvider'> {
  readonly secretOrKeyProvider: (
    request: unknown,
    token: string,
    provided: (error: unknown, key?: KeyObject) => void,
  ) => void;
}

const AnyStrategy: Type<Strategy> = Strategy;

/** Verifies an access token according to G-3, and yields its caller. */
@Injectable()
export class BearerStrategy extends PassportStrategy(AnyStrategy, BEARER) {
  private readonly log = new Logger(BearerStrategy.name);
  private readonly undecodable = new UndecodableScopes((line) => {
    this.log.warn(line);
  });

  constructor(
    keys: SigningKeys,
    private readonly verified: VerifiedTokens,
    @Inject(CONFIG) config: Config,
  ) {
    super({
      jwtFromRequest: tokenOf,
      secretOrKeyProvider: (_, token, provided) => {
        const key = keyOf(token, keys);
        if (key === undefined) provided(new Error('no such key'));
        else provided(null, key);
      },
      algorithms: ['RS256'],
      issuer: config.JWT_ISSUER,
      audience: [...config.JWT_AUDIENCE],
      passReqToCallback: true,
      ...WITHOUT_NBF,
    } satisfies Options);
  }

  /** Called with the claims of a token with a valid signature, issuer and audience; false refuses it. */
  async validate(request: FastifyRequest, payload: unknown): Promise<Caller | false> {
    const claims = readAccessClaims(payload);
    if (claims === undefined || claims.kind === 'nobody') return false;
    if (!isInForce(claims, Math.floor(Date.now() / 1_000))) return false;
    const caller = callerOf(claims, this.undecodable.note);
    const admitted = await this.verified.admit(claims, caller);
    if (admitted === undefined) return false;
    const token = tokenOf(request) ?? '';
    this.verified.add(token, { kid: decodeProtectedHeader(token).kid, claims, caller });
    return admitted;
  }
}

function tokenOf(request: FastifyRequest): string | null {
  const credentials = bearerCredentials(request.raw.rawHeaders);
  return credentials.kind === 'token' ? credentials.token : null;
}

/**
 * The key that a token names; none for a header that asks for extensions (`crit`, RFC 7515 4.1.11), nor for claims that
 * are not a JSON object, which the verifier would accept (RFC 7519 7.2, step 10).
 */
function keyOf(token: string, keys: SigningKeys): KeyObject | undefined {
  try {
    const { kid, crit } = decodeProtectedHeader(token);
    decodeJwt(token);
    const isKnown = crit === undefined && (kid === undefined || typeof kid === 'string');
    return isKnown ? keys.verification(kid) : undefined;
  } catch {
    return undefined;
  }
}
