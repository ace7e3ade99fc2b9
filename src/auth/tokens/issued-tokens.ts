import type { KeyObject } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { jwtVerify } from 'jose';
import { type Config, CONFIG } from '../../platform/config/config.js';
import { SigningKeys } from './signing-keys.js';
import { type AccessClaims, isInForce, readAccessClaims, type TokenTimes } from './access-claims.js';

/** `isInForce` is stricter for access tokens. */
const TOLERANCE = '5 seconds';

interface TokenKind<Claims extends TokenTimes> {
  readonly audience: readonly string[];
  readonly keyOf: (kid: string | undefined) => KeyObject | undefined;
  readonly read: (claims: unknown) => Claims | undefined;
}

/** Verifies tokens sent as parameters, not as credentials. */
@Injectable()
export class IssuedTokens {
  constructor(
    private readonly keys: SigningKeys,
    @Inject(CONFIG) private readonly config: Pick<Config, 'JWT_ISSUER' | 'JWT_AUDIENCE'>,
  ) {}

  /** Undefined unless this service signed it and it has not expired. */
  async accessClaims(token: string, now: Date): Promise<AccessClaims | undefined> {
    const keyOf = (kid: string | undefined) => this.keys.verification(kid, now.getTime());
    const kind = { audience: this.config.JWT_AUDIENCE, keyOf, read: readAccessClaims };
    const claims = await this.claims(token, now, kind);
    return claims !== undefined && isInForce(claims, Math.floor(now.getTime() / 1_000)) ? claims : undefined;
  }

  /** A token from a process whose clock is ahead is accepted: the family checks it by the database's clock. */
  refreshClaims<Claims extends TokenTimes>(
    token: string,
    now: Date,
    { audience, read }: { readonly audience: string; readonly read: TokenKind<Claims>['read'] },
  ): Promise<Claims | undefined> {
    const keyOf = (kid: string | undefined) => this.keys.refreshVerification(kid, now.getTime());
    return this.claims(token, now, { audience: [audience], keyOf, read });
  }

  private async claims<Claims extends TokenTimes>(
    token: string,
    now: Date,
    { audience, keyOf, read }: TokenKind<Claims>,
  ): Promise<Claims | undefined> {
    await this.keys.current();
    const { JWT_ISSUER: issuer } = this.config;
    try {
      const { payload } = await jwtVerify(token, ({ kid }) => keyOf(kid) ?? Promise.reject(new Error('no such key')), {
        algorithms: ['RS256'],
        issuer,
        audience: [...audience],
        currentDate: now,
        clockTolerance: TOLERANCE,
      });
      return read(payload);
    } catch {
      return undefined;
    }
  }
}
