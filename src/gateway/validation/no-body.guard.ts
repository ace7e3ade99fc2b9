import type { CanActivate, ExecutionContext } from '@nestjs/common';
import { Injectable } from '@nestjs/common';
import { RouteParamtypes } from '@nestjs/common/enums/route-paramtypes.enum.js';
import type { FastifyRequest } from 'fastify';

import { Input } from '../../input/input.js';
import { Notes } from '../../input/notes.js';
import { handlerTakes } from './handler-takes.js';

/**
 * Refuses what stands in the body of a request to a route that reads none: it was meant for something (E-11). `{}` and
 * `null`, which client libraries send of themselves, are passed over. It comes after `BodyGuard`, since this is a 400
 * (G-2).
 */
@Injectable()
export class NoBodyGuard implements CanActivate {
  canActivate(context: ExecutionContext): true {
    const { body } = context.switchToHttp().getRequest<FastifyRequest>();
    if (body === undefined || body === null) return true;
    if (handlerTakes(context, RouteParamtypes.BODY, RouteParamtypes.REQUEST)) return true;
    const notes = new Notes();
    const given = Input.body(body, notes);
    if (given.isObject) given.refuseKeysBut([], () => 'is not taken: this request has no body');
    else given.refuse('must be absent: this request has no body');
    if (!notes.none) throw notes.toError();
    return true;
  }
}
