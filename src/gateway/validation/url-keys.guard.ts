import type { CanActivate, ExecutionContext } from '@nestjs/common';
import { Injectable } from '@nestjs/common';
import { ROUTE_ARGS_METADATA } from '@nestjs/common/constants.js';
import { RouteParamtypes } from '@nestjs/common/enums/route-paramtypes.enum.js';
import { Reflector } from '@nestjs/core';
import type { FastifyRequest } from 'fastify';

import { OWN_URL_KEYS } from '../../access/routes/own-url-keys.js';
import { requireUrlKeys } from '../../input/require-url-keys.js';
import { passesOverUrlKeys } from '../routes.js';

type Asked = Pick<FastifyRequest, 'routeOptions'> & { readonly query: object };

/**
 * Refuses parameters in the URL of a route that takes none: they were meant to narrow something. Where a route takes
 * some, its DTO or the route itself refuses others. The last of the guards, since this is a 400 (G-2).
 */
@Injectable()
export class UrlKeysGuard implements CanActivate {
  constructor(private readonly reflector: Reflector) {}

  canActivate(context: ExecutionContext): true {
    const { query, routeOptions } = context.switchToHttp().getRequest<Asked>();
    if (Object.keys(query).length === 0 || passesOverUrlKeys(routeOptions.url ?? '')) return true;
    if (!this.takesSome(context)) requireUrlKeys(query);
    return true;
  }

  private takesSome(context: ExecutionContext): boolean {
    if (this.reflector.get<true | undefined>(OWN_URL_KEYS, context.getHandler()) === true) return true;
    const parameters = (Reflect.getMetadata(ROUTE_ARGS_METADATA, context.getClass(), context.getHandler().name) ??
      {}) as object;
    return Object.keys(parameters).some((key) => key.startsWith(`${RouteParamtypes.QUERY}:`));
  }
}
