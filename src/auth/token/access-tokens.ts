import { randomUUID } from 'node:crypto';

import { Inject, Injectable } from '@nestjs/common';
import { SignJWT } from 'jose';

import type { Actor } from '../../audit/audit-entry.js';
import { AuditLog } from '../../audit/audit-log.js';
import type { Config } from '../../config/config.js';
import { CONFIG } from '../../config/config.js';
import { Database } from '../../database/pools/database.js';
import type { UserType } from '../../domain/record/user-type.js';
import type { Uuid } from '../../domain/uuid.js';
import { ServiceError } from '../../errors/service-error.js';
import type { AdministratorRole } from './administrator-scopes.js';
import { ADMINISTRATOR_SCOPES } from './administrator-scopes.js';
import { SigningKeys } from './signing-keys.js';
import { longestTokenSeconds } from './token-lifetime.js';

interface AdministratorTokenOrder {
  readonly role: AdministratorRole;
  /** `sub` of the token. */
  readonly subject: string;
  readonly ttlSeconds: number;
  readonly by: Actor;
}

interface Claims {
  readonly sub: string;
  readonly userType: UserType;
  readonly scope: readonly string[];
}

interface Issued {
  readonly token: string;
  /** For the audit log. */
  readonly summary: { readonly jti: string; readonly expiresAt: string };
}

/** Creates access tokens: JWTs signed with RS256, with the claims of A-5. */
@Injectable()
export class AccessTokens {
  constructor(
    private readonly keys: SigningKeys,
    @Inject(CONFIG)
    private readonly config: Pick<Config, 'JWT_ISSUER' | 'JWT_AUDIENCE' | 'systemTokenSeconds' | 'ALLOW_LONG_TOKENS'>,
    private readonly database: Database,
    private readonly audit: AuditLog,
  ) {}

  /** Lifetime of a system client's token. */
  get clientTokenSeconds(): number {
    return this.config.systemTokenSeconds;
  }

  /**
   * A system client's token: its id as `sub`, with these of its scopes, as registered. Throws 503 SERVICE_UNAVAILABLE
   * while the audit log cannot be written.
   */
  async clientToken(
    { clientId, scopes }: { readonly clientId: Uuid; readonly scopes: readonly string[] },
    now: Date,
  ): Promise<string> {
    const claims = { sub: clientId, userType: 'system', scope: scopes } as const;
    const { token, summary } = await this.sign(claims, this.clientTokenSeconds, now);
    this.audit.note({
      ...{ clientId, clientType: 'system', operation: 'auth.token' },
      requestData: { scopes },
      responseSummary: summary,
    });
    return token;
  }

  /** An administrator's token. Throws 400 for a lifetime that A-5 does not allow, or an empty subject. */
  async administratorToken({ role, subject, ttlSeconds, by }: AdministratorTokenOrder, now: Date): Promise<string> {
    const longest = longestTokenSeconds(this.config);
    if (!Number.isInteger(ttlSeconds) || ttlSeconds < 1 || ttlSeconds > longest) {
      const more = this.config.ALLOW_LONG_TOKENS ? '' : ', or more with ALLOW_LONG_TOKENS=true';
      throw new ServiceError('BAD_REQUEST', `a token lives a whole number of seconds from 1 to ${longest}${more}`);
    }
    if (subject.trim() === '') throw new ServiceError('BAD_REQUEST', 'the subject of a token must not be empty');
    const claims = { sub: subject, userType: 'user', scope: ADMINISTRATOR_SCOPES[role] } as const;
    const { token, summary } = await this.sign(claims, ttlSeconds, now);
    await this.audit.record(this.database, {
      ...by,
      operation: 'auth.token',
      requestData: { role, subject, ttlSeconds },
      responseSummary: summary,
    });
    return token;
  }

  private async sign(claims: Claims, lifetimeSeconds: number, now: Date): Promise<Issued> {
    await this.keys.current();
    const { kid, privateKey } = this.keys.signing(now.getTime());
    const issuedAt = Math.floor(now.getTime() / 1_000);
    const expiresAt = issuedAt + lifetimeSeconds;
    const jti = randomUUID();
    const token = await new SignJWT({
      ...claims,
      iat: issuedAt,
      exp: expiresAt,
      aud: [...this.config.JWT_AUDIENCE],
      iss: this.config.JWT_ISSUER,
      jti,
    })
      .setProtectedHeader({ alg: 'RS256', typ: 'JWT', kid })
      .sign(privateKey);
    return { token, summary: { jti, expiresAt: new Date(expiresAt * 1_000).toISOString() } };
  }
}
