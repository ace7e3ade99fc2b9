import { type ArgumentsHost, Catch, type ExceptionFilter, Inject } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type Config, CONFIG } from '../../platform/config/config.js';
import { ServiceError } from '../../kernel/errors/service-error.js';
import { NO_STORE } from '../access/no-store.js';
import { documentationAt, publicAddress } from '../access/public-address.js';
import { invalidRequest } from '../tokens/oauth-error.js';

/** RFC 6749 5.2. */
const NOT_IN_A_DESCRIPTION = /[^\x20\x21\x23-\x5b\x5d-\x7e]/g;

/** Matches the 400 of an unreadable body, and leaves every other error to the gateway's filter. */
class MalformedTokenRequest {
  static [Symbol.hasInstance](error: unknown): boolean {
    return error instanceof ServiceError && error.code === 'BAD_REQUEST';
  }
}

/** Answers according to RFC 6749 when a body is refused before the controller sees it: 400 `invalid_request`. */
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
