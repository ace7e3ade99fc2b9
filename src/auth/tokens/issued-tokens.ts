import type { KeyObject } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { jwtVerify } from 'jose';
import { type Config, CONFIG } from '../../platform/config/config.js';
import { SigningKeys } from './signing-keys.js';
import { type AccessClaims, readAccessClaims } from './access-claims.js';
import { isInForce, type TokenTimes } from './token-time.js';

/** For access tokens, `isInForce` is stricter. */
const TOLERANCE = '5 seconds';

/** Tokens of one kind: for whom they are, under which key, and how their claims are read. */
interface TokenKind<Claims extends TokenTimes> {
  readonly audience: readonly string[];
  readonly keyOf: (kid: string | undefined) => KeyObject | undefined;
  readonly read: (claims: unknown) => Claims | undefined;
}

/** Tokens that are sent to routes of auth as something to be dealt with, not as credentials of the request. */
@Injectable()
export class IssuedTokens {
  constructor(
    private readonly keys: SigningKeys,
    @Inject(CONFIG) private readonly config: Pick<Config, 'JWT_ISSUER' | 'JWT_AUDIENCE'>,
  ) {}

  /** The claims of an access token that this service signed and that has not expired; undefined for anything else. */
  async accessClaims(token: string, now: Date): Promise<AccessClaims | undefined> {
    const keyOf = (kid: string | undefined) => this.keys.verification(kid, now.getTime());
    const kind = { audience: this.config.JWT_AUDIENCE, keyOf, read: readAccessClaims };
    const claims = await this.claims(token, now, kind);
    return claims !== undefined && isInForce(claims, Math.floor(now.getTime() / 1_000)) ? claims : undefined;
  }

  /**
   * The same for a token with this audience that lives as long as a refresh token, whose claims `read` reads. One that a
   * process whose clock is ahead has just signed is one: its family says whether it is good, by the database's clock.
   */
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
