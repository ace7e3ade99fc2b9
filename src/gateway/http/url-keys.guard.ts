import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { ROUTE_ARGS_METADATA } from '@nestjs/common/constants.js';
import { RouteParamtypes } from '@nestjs/common/enums/route-paramtypes.enum.js';
import { Reflector } from '@nestjs/core';
import type { FastifyRequest } from 'fastify';
import { OWN_URL_KEYS, type OwnUrlKeys } from '../../auth/access/decorators.js';
import { quoted } from '../../kernel/errors/faults.js';
import { Input, Notes } from '../../kernel/input/input.js';
import { passesOverUrlKeys } from './routes.js';

/** Whether the handler of the route has a parameter of one of these kinds, such as `@Body()` or `@Query()`. */
export function handlerTakes(context: ExecutionContext, ...kinds: readonly RouteParamtypes[]): boolean {
  const parameters = (Reflect.getMetadata(ROUTE_ARGS_METADATA, context.getClass(), context.getHandler().name) ??
    {}) as object;
  return Object.keys(parameters).some((key) => kinds.some((kind) => key.startsWith(`${kind}:`)));
}

type Asked = Pick<FastifyRequest, 'routeOptions'> & { readonly query: object };

/**
 * Refuses parameters in the URL of a route that does not take them: they were meant to narrow something. Where a route
 * has a DTO for them, that refuses others. The last of the guards, since this is a 400 (G-2).
 */
@Injectable()
export class UrlKeysGuard implements CanActivate {
  constructor(private readonly reflector: Reflector) {}

  canActivate(context: ExecutionContext): true {
    const { query, routeOptions } = context.switchToHttp().getRequest<Asked>();
    if (Object.keys(query).length === 0 || passesOverUrlKeys(routeOptions.url ?? '')) return true;
    const own = this.reflector.get<OwnUrlKeys | undefined>(OWN_URL_KEYS, context.getHandler());
    if (own !== 'any' && (own !== undefined || !handlerTakes(context, RouteParamtypes.QUERY)))
      requireUrlKeys(query, own);
    return true;
  }
}

/**
 * Refuses parameters in the URL of a request other than these, each under its name: a `limit` or a condition that
 * stands there by mistake, or a misspelt `cursor`, must not be passed over (S-2). Throws 400 BAD_REQUEST.
 */
function requireUrlKeys(query: object, known: readonly string[] = []): void {
  if (Object.keys(query).every((key) => known.includes(key))) return;
  const notes = new Notes();
  const taken = known.length === 0 ? '' : `, which may have ${quoted(known)}`;
  Input.body(query, notes).refuseKeysBut(known, () => `is not taken in the URL${taken}`);
  throw notes.toError();
}
