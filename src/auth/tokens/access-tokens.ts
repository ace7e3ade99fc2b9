import { randomUUID } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import type { JWTPayload } from 'jose';
import { ADMINISTRATOR_SCOPES, type AdministratorRole, grantsOf } from '../access/scope-permissions.js';
import type { Actor, AuditOperation } from '../../platform/audit/audit-entry.js';
import { AuditLog } from '../../platform/audit/audit-log.js';
import { type Config, CONFIG } from '../../platform/config/config.js';
import { Database } from '../../platform/database/pools/database.js';
import type { Uuid } from '../../kernel/domain/uuid.js';
import { ServiceError } from '../../kernel/errors/service-error.js';
import { longestTokenSeconds, SERVICE } from './access-claims.js';
import { SigningKeys, signToken } from './signing-keys.js';

const SERVICE_TOKEN_SECONDS = 600;

interface TokenOrder {
  readonly subject: string;
  readonly ttlSeconds: number;
  readonly by: Actor;
  /** Audit operation, by default `auth.token`. */
  readonly operation?: AuditOperation;
}

/** The user's current state, not these claims, decides permissions (U-7). */
interface SessionTokenOrder {
  readonly userId: Uuid;
  readonly role: string;
  readonly scopes: readonly string[];
  readonly officeId: Uuid;
  readonly familyId: Uuid;
  /** The session's end without a refresh, which bounds its tokens. */
  readonly expiresAt: Date;
}

@Injectable()
export class AccessTokens {
  constructor(
    private readonly keys: SigningKeys,
    @Inject(CONFIG)
    private readonly config: Pick<
      Config,
      'JWT_ISSUER' | 'JWT_AUDIENCE' | 'systemTokenSeconds' | 'CONFIG_TOKEN_EXPIRY_SECONDS' | 'ALLOW_LONG_TOKENS'
    >,
    private readonly database: Database,
    private readonly audit: AuditLog,
  ) {}

  get clientTokenSeconds(): number {
    return this.config.systemTokenSeconds;
  }

  /** `sub` is the client id; `scopes` are registered ones. Throws 503 SERVICE_UNAVAILABLE while auditing fails. */
  async clientToken(
    { clientId, scopes }: { readonly clientId: Uuid; readonly scopes: readonly string[] },
    now: Date,
  ): Promise<string> {
    const claims = { sub: clientId, userType: 'system', scope: scopes } as const;
    const { token, summary } = await this.sign(claims, this.clientTokenSeconds, now);
    this.audit.note({
      clientId,
      clientType: 'system',
      operation: 'auth.token',
      requestData: { scopes },
      responseSummary: summary,
    });
    return token;
  }

  /** Administrator's token. Throws 400 for a lifetime outside A-5, or an empty subject. */
  administratorToken(
    { role, ...order }: TokenOrder & { readonly role: AdministratorRole },
    now: Date,
  ): Promise<string> {
    return this.userToken(order, { scope: ADMINISTRATOR_SCOPES[role] }, { role }, now);
  }

  /** User's token (E-11). Also throws 400 for a scope that grants nothing. */
  async tokenOfUser(
    {
      scopes,
      office,
      ...order
    }: TokenOrder & { readonly scopes: readonly string[]; readonly office: Uuid | undefined },
    now: Date,
  ): Promise<string> {
    const useless: string[] = [];
    grantsOf(scopes, (scope) => useless.push(scope));
    if (useless.length > 0) {
      const shown = useless.map((scope) => JSON.stringify(scope)).join(', ');
      throw new ServiceError('BAD_REQUEST', `no such scope: ${shown}`);
    }
    const at = office === undefined ? {} : { office };
    return this.userToken(order, { scope: scopes, ...at }, { scopes, ...at }, now);
  }

  /** Session token (U-3). The audit log records the login, not each token. */
  async sessionToken(
    { userId, role, scopes, officeId, familyId, expiresAt }: SessionTokenOrder,
    now: Date,
  ): Promise<string> {
    const leftSeconds = Math.max(1, Math.floor((expiresAt.getTime() - now.getTime()) / 1_000));
    const claims = { sub: userId, userType: 'user', scope: scopes, role, office: officeId, sid: familyId } as const;
    return (await this.sign(claims, Math.min(this.config.CONFIG_TOKEN_EXPIRY_SECONDS, leftSeconds), now)).token;
  }

  /** For other services: it lets the receiver read places and the given event for ten minutes (E-15). */
  async serviceToken(audience: string, eventId: Uuid | undefined, now: Date): Promise<string> {
    const claims = { sub: SERVICE, userType: 'system', scope: [], ...(eventId !== undefined && { eventId }) } as const;
    const { JWT_AUDIENCE: own } = this.config;
    const audiences = own.includes(audience) ? [audience] : [audience, ...own];
    return (await this.sign(claims, SERVICE_TOKEN_SECONDS, now, audiences)).token;
  }

  private async userToken(
    { subject, ttlSeconds, by, operation = 'auth.token' }: TokenOrder,
    holds: JWTPayload,
    requestData: object,
    now: Date,
  ): Promise<string> {
    const longest = longestTokenSeconds(this.config);
    if (!Number.isInteger(ttlSeconds) || ttlSeconds < 1 || ttlSeconds > longest) {
      const more = this.config.ALLOW_LONG_TOKENS ? '' : ', or more with ALLOW_LONG_TOKENS=true';
      throw new ServiceError('BAD_REQUEST', `a token lives a whole number of seconds from 1 to ${longest}${more}`);
    }
    if (subject.trim() === '') throw new ServiceError('BAD_REQUEST', 'the subject of a token must not be empty');
    const { token, summary } = await this.sign({ sub: subject, userType: 'user', ...holds }, ttlSeconds, now);
    await this.audit.record(this.database, {
      ...by,
      operation,
      requestData: { ...requestData, subject, ttlSeconds },
      responseSummary: summary,
    });
    return token;
  }

  private async sign(
    claims: JWTPayload,
    lifetimeSeconds: number,
    now: Date,
    audience: readonly string[] = this.config.JWT_AUDIENCE,
  ) {
    const iat = Math.floor(now.getTime() / 1_000);
    const exp = iat + lifetimeSeconds;
    const jti = randomUUID();
    const issued = { iat, exp, aud: [...audience], iss: this.config.JWT_ISSUER, jti };
    const token = await signToken(this.keys, { ...claims, ...issued });
    return { token, summary: { jti, expiresAt: new Date(exp * 1_000).toISOString() } };
  }
}
