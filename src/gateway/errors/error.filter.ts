import { type ArgumentsHost, Catch, type ExceptionFilter, Injectable, Logger } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { AuthenticatedRequest } from '../../auth/access/decorators.js';
import { causes, type Refusal, ServiceError } from '../../kernel/errors/service-error.js';
import { isSqlError } from '../../kernel/errors/sql-state.js';
import { DatabaseServerError } from '../../platform/database/connection/database-server.js';
import { isOtherDerivedVersion } from '../../platform/database/connection/derived-version.js';
import { Refusals } from '../../platform/queue/refusals.js';
import { type ErrorObject, isClientGone, toErrorAnswer } from './error-answer.js';

/** Records refusals, and the service's own faults. */
@Injectable()
export class ErrorNotes {
  private readonly log = new Logger(ErrorNotes.name);

  constructor(private readonly refusals: Refusals) {}

  /** `client`: the token's `sub`, or the address. */
  note(error: unknown, status: number, client: string): void {
    const refusal = refusalOf(error);
    if (refusal !== undefined) this.refusals.note(refusal, client);
    if (status === 500) this.log.error('request failed', error);
    const isExplained = error instanceof ServiceError && refusal !== undefined;
    if (status === 503 && !isExplained) this.log.warn('request could not be served now', error);
  }
}

/** Set by the error itself, a wrong database, or a statement timeout. */
function refusalOf(error: unknown): Refusal | undefined {
  if (error instanceof ServiceError) return error.refusal;
  const all = causes(error);
  if (all.some(isOtherDerivedVersion)) return 'other-version';
  if (all.some((cause) => cause instanceof DatabaseServerError)) return 'other-database';
  return all.some((cause) => isSqlError(cause, 'queryCanceled')) ? 'statement-time' : undefined;
}

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
