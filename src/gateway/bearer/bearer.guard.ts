import { type ExecutionContext, Injectable, Logger } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { AuthGuard } from '@nestjs/passport';
import type { FastifyRequest } from 'fastify';
import { ACCESS_RULE, type AccessRule, ONLY_USER_TYPE, requireUserType } from '../../auth/access/decorators.js';
import type { Caller } from '../../kernel/domain/scopes/caller.js';
import type { Permission } from '../../kernel/domain/scopes/permission.js';
import type { UserType } from '../../kernel/domain/event-record.js';
import { ServiceError } from '../../kernel/errors/service-error.js';
import { ERROR_MESSAGES } from '../errors/error-answer.js';
import { ClientRateLimit } from '../rate-limit/rate-limits.js';
import { authorizationsOf, bearerCredentials, VerifiedTokens } from './verified-tokens.js';
import { BEARER } from './bearer.strategy.js';

/** Decides whether a request may proceed to its route (G-2): 401, 429 for a client above its rate, 403. */
@Injectable()
export class BearerGuard extends AuthGuard(BEARER) {
  private readonly log = new Logger(BearerGuard.name);

  constructor(
    private readonly reflector: Reflector,
    private readonly rate: ClientRateLimit,
    private readonly verified: VerifiedTokens,
  ) {
    super();
  }

  override async canActivate(context: ExecutionContext): Promise<boolean> {
    const rule = this.reflector.getAllAndOverride<AccessRule | undefined>(ACCESS_RULE, [
      context.getHandler(),
      context.getClass(),
    ]);
    if (rule === 'public') return true;
    if (rule === undefined) {
      this.log.error(`${context.getClass().name}.${context.getHandler().name} does not say who may call it`);
      throw new ServiceError('FORBIDDEN', ERROR_MESSAGES.FORBIDDEN);
    }
    const request = context.switchToHttp().getRequest<FastifyRequest & { caller: Caller }>();
    const [authorization, ...others] = authorizationsOf(request.raw.rawHeaders);
    if (authorization === undefined) throw unauthorized('Bearer');
    await this.verified.current();
    const token = others.length === 0 ? tokenIn(authorization) : undefined;
    const known = token === undefined ? undefined : this.verified.callerOf(token, Date.now());
    if (known === undefined) await super.canActivate(context);
    else request.caller = known;
    await this.rate.take(request.caller.subject);
    if (rule !== 'authenticated' && !request.caller.grants.some(({ permission }) => rule.includes(permission))) {
      throw insufficientScope(rule);
    }
    const only = this.reflector.getAllAndOverride<UserType | undefined>(ONLY_USER_TYPE, [
      context.getHandler(),
      context.getClass(),
    ]);
    if (only !== undefined) requireUserType(only, request.caller);
    return true;
  }

  /** Passport puts the caller into `request.caller`; there is no session. */
  override getAuthenticateOptions(): { readonly property: string; readonly session: false } {
    return { property: 'caller', session: false };
  }

  override handleRequest<User>(error: Error | null | undefined, user: User | false | undefined): User {
    if (error !== null && error !== undefined) throw error;
    if (user === undefined || user === false) {
      throw unauthorized('Bearer error="invalid_token"', 'The access token is not valid');
    }
    return user;
  }
}

/** As nearly every client writes it; `bearerCredentials` reads what others write. */
const USUAL = 'Bearer ';

/** The token, if it is one: what is none is not known either. */
function tokenIn(authorization: string): string | undefined {
  if (authorization.startsWith(USUAL)) return authorization.slice(USUAL.length);
  const credentials = bearerCredentials(['authorization', authorization]);
  return credentials.kind === 'token' ? credentials.token : undefined;
}

const unauthorized = (challenge: string, message = ERROR_MESSAGES.UNAUTHORIZED): ServiceError =>
  new ServiceError('UNAUTHORIZED', message, { headers: { 'www-authenticate': challenge } });

/** Names the missing permission: who may call what is not secret, as the OpenAPI document says it. */
const insufficientScope = (lacking: readonly Permission[]): ServiceError =>
  new ServiceError('FORBIDDEN', ERROR_MESSAGES.FORBIDDEN, {
    issues: [{ message: `authorization: the access token lacks the permission ${lacking.join(' or ')}` }],
    headers: { 'www-authenticate': 'Bearer error="insufficient_scope"' },
  });
