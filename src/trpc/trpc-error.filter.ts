import type { ArgumentsHost, ExceptionFilter } from '@nestjs/common';
import { Catch } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';

import type { AuthenticatedRequest } from '../access/current-caller.js';
import { isClientGone } from '../gateway/errors/client-gone.js';
import { toErrorAnswer } from '../gateway/errors/error-answer.js';
import { ErrorNotes } from '../gateway/errors/error-notes.js';
import { envelopeOf } from './envelope.js';

type Asked = FastifyRequest<{ Params: { readonly procedures?: string } }> & Partial<AuthenticatedRequest>;

/** Answers what is refused before a procedure is called in tRPC's envelope (E-17). */
@Catch()
export class TrpcErrorFilter implements ExceptionFilter {
  constructor(private readonly notes: ErrorNotes) {}

  catch(error: unknown, host: ArgumentsHost): void {
    const request = host.switchToHttp().getRequest<Asked>();
    const reply = host.switchToHttp().getResponse<FastifyReply>();
    if (isClientGone(error, request.raw.socket.destroyed)) {
      reply.raw.destroy();
      return;
    }
    const { status, headers, body } = toErrorAnswer(error);
    this.notes.note(error, status, request.caller?.subject ?? request.ip);
    if (reply.sent || reply.raw.headersSent) {
      reply.raw.destroy();
      return;
    }
    const failed = { kind: 'failed', path: request.params.procedures ?? '', issues: [], ...body } as const;
    void reply
      .status(status)
      .headers(headers)
      .type('application/json')
      .send(envelopeOf([failed], false));
  }
}
