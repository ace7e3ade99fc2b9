import { Catch } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';

import { ErrorFilter } from '../errors/error.filter.js';
import type { ErrorObject } from '../errors/error-answer.js';
import { errorOf } from './envelope.js';

/** Answers refusals before a call in tRPC's envelope (E-17). */
@Catch()
export class TrpcErrorFilter extends ErrorFilter {
  protected override readonly shown = (error: ErrorObject, { params }: FastifyRequest): object => {
    const { procedures = '' } = params as { readonly procedures?: string };
    return errorOf({ kind: 'failed', path: procedures, issues: [], ...error });
  };
}
