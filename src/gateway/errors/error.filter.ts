import { type ArgumentsHost, Catch, type ExceptionFilter, Logger } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { AuthenticatedRequest } from '../../auth/access/decorators.js';
import { isClientGone } from './client-gone.js';
import { type ErrorObject, toErrorAnswer } from './error-answer.js';
import { ErrorNotes } from './error-notes.js';

/** With the error object of G-4; logs the service's own. */
@Catch()
export class ErrorFilter implements ExceptionFilter {
  private readonly log = new Logger(ErrorFilter.name);

  protected readonly shown: (error: ErrorObject, request: FastifyRequest) => object = (error) => error;

  constructor(private readonly notes: ErrorNotes) {}

  catch(error: unknown, host: ArgumentsHost): void {
    const http = host.switchToHttp();
    const request = http.getRequest<FastifyRequest & Partial<AuthenticatedRequest>>();
    const reply = http.getResponse<FastifyReply>();
    if (isClientGone(error, request.raw.socket.destroyed)) {
      this.log.debug('the client hung up');
      reply.raw.destroy();
      return;
    }
    const { status, headers, body } = toErrorAnswer(error);
    this.notes.note(error, status, request.caller?.subject ?? request.ip);
    if (reply.sent || reply.raw.headersSent) {
      // An aborted answer must not look complete.
      reply.raw.destroy();
      return;
    }
    // Headers of the handler's own answer.
    for (const name of ['content-type', 'content-length', 'link', 'etag']) reply.removeHeader(name);
    void reply.status(status).headers(headers).send(this.shown(body, request));
  }
}
