import { type ArgumentsHost, Catch, type ExceptionFilter, Inject } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type Config, CONFIG } from '../../platform/config/config.js';
import { ServiceError } from '../../kernel/errors/service-error.js';
import { NO_STORE } from '../access/decorators.js';
import { documentationAt, publicAddress } from '../access/public-address.js';
import { invalidRequest } from '../tokens/oauth-error.js';

const NOT_IN_A_DESCRIPTION = /[^\x20\x21\x23-\x5b\x5d-\x7e]/g;

class MalformedTokenRequest {
  static [Symbol.hasInstance](error: unknown): boolean {
    return error instanceof ServiceError && error.code === 'BAD_REQUEST';
  }
}

/** Answers 400 `invalid_request` (RFC 6749 5.2, A-3) for bodies refused before the controller. */
@Catch(MalformedTokenRequest)
export class MalformedTokenRequestFilter implements ExceptionFilter<ServiceError> {
  constructor(@Inject(CONFIG) private readonly config: Pick<Config, 'PUBLIC_URL'>) {}

  async catch({ issues, message, headers }: ServiceError, host: ArgumentsHost): Promise<void> {
    const request = host.switchToHttp().getRequest<FastifyRequest>();
    const reply = host.switchToHttp().getResponse<FastifyReply>();
    const faults = issues.length > 0 ? issues.map((issue) => issue.message).join(', ') : message;
    const error = invalidRequest(faults.replaceAll(NOT_IN_A_DESCRIPTION, "'"));
    await reply
      .status(error.status)
      .headers({ ...headers, ...NO_STORE })
      .send(error.body(documentationAt(publicAddress(request, this.config))));
  }
}
