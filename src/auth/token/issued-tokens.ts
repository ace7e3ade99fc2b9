import type { KeyObject } from 'node:crypto';

import { Inject, Injectable } from '@nestjs/common';
import type { JWTPayload } from 'jose';
import { jwtVerify } from 'jose';

import type { Config } from '../../config/config.js';
import { CONFIG } from '../../config/config.js';
import { SigningKeys } from '../signing-keys/signing-keys.js';
import { isInForce } from './token-time.js';

/** `isInForce` is stricter. */
const TOLERANCE = '5 seconds';

/** Tokens that are sent to routes of auth as something to be dealt with, not as credentials of the request. */
@Injectable()
export class IssuedTokens {
  constructor(
    private readonly keys: SigningKeys,
    @Inject(CONFIG) private readonly config: Pick<Config, 'JWT_ISSUER' | 'JWT_AUDIENCE'>,
  ) {}

  /** The claims of an access token that this service signed and that has not expired; undefined for anything else. */
  accessClaims(token: string, now: Date): Promise<JWTPayload | undefined> {
    return this.claims(token, this.config.JWT_AUDIENCE, now, (kid) => this.keys.verification(kid, now.getTime()));
  }

  /** The same for a token with this audience that lives as long as a refresh token. */
  refreshClaims(token: string, audience: string, now: Date): Promise<JWTPayload | undefined> {
    return this.claims(token, [audience], now, (kid) => this.keys.refreshVerification(kid, now.getTime()));
  }

  private async claims(
    token: string,
    audience: readonly string[],
    now: Date,
    keyOf: (kid: string | undefined) => KeyObject | undefined,
  ): Promise<JWTPayload | undefined> {
    await this.keys.current();
    const { JWT_ISSUER: issuer } = this.config;
    try {
      const { payload } = await jwtVerify(token, ({ kid }) => keyOf(kid) ?? Promise.reject(new Error('no such key')), {
        ...{ algorithms: ['RS256'], issuer, audience: [...audience] },
        ...{ currentDate: now, clockTolerance: TOLERANCE },
      });
      return isInForce(payload, Math.floor(now.getTime() / 1_000)) ? payload : undefined;
    } catch {
      return undefined;
    }
  }
}
