import { Readable } from 'node:stream';
import {
  applyDecorators,
  type CallHandler,
  type ExecutionContext,
  Injectable,
  type NestInterceptor,
  SetMetadata,
  UseInterceptors,
} from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { from, lastValueFrom, type Observable } from 'rxjs';
import { hasLists, jsonInSlices } from '../../platform/queue/json-in-slices.js';
import { Capacities, type CapacityName } from '../../platform/queue/capacities.js';
import type { AuthenticatedRequest } from './current-caller.js';
import { hangUpOf } from '../../platform/queue/hang-up.js';
import { networkOf } from '../../platform/queue/network-of.js';

export const CAPACITY = 'matricula:capacity';

/** Validates, handles and writes in one turn: no data is held while waiting. */
@Injectable()
class TurnInterceptor implements NestInterceptor {
  constructor(
    private readonly reflector: Reflector,
    private readonly capacities: Capacities,
  ) {}

  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const http = context.switchToHttp();
    const { caller, ip } = http.getRequest<FastifyRequest & Partial<AuthenticatedRequest>>();
    const reply = http.getResponse<FastifyReply>();
    const name = this.reflector.getAllAndOverride<CapacityName>(CAPACITY, [context.getHandler(), context.getClass()]);
    const applicant = { client: caller?.subject ?? networkOf(ip), hungUp: hangUpOf(reply) };
    return from(
      this.capacities.run(name, applicant, async () => {
        const answer: unknown = await lastValueFrom(next.handle(), { defaultValue: undefined });
        if (answer instanceof Readable || !hasLists(answer)) return answer;
        const text = await jsonInSlices(answer);
        void reply.type('application/json; charset=utf-8');
        return text;
      }),
    );
  }
}

/** Requests share a capacity in turns, and get 503 without room. */
export const InTurn = (name: CapacityName): MethodDecorator & ClassDecorator =>
  applyDecorators(SetMetadata<string, CapacityName>(CAPACITY, name), UseInterceptors(TurnInterceptor));
