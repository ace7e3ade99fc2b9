import { Controller, Get, Req, Res } from '@nestjs/common';
import type { OpenAPIObject } from '@nestjs/swagger';
import { ApiOperation, ApiResponse, ApiTags } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';

import { Allow } from '../../auth/access/decorators.js';
import { ETAG, NOT_MODIFIED } from '../../auth/access/request-target.js';
import { ServiceError } from '../../kernel/errors/service-error.js';
import { ERROR_MESSAGES } from '../errors/error-messages.js';
import { Listeners } from '../http/listeners.js';
import type { Listener } from '../http/routes.js';
import { FixedAnswer } from './fixed-answer.js';

/** One for each port (G-9), set after the build. */
@Controller('openapi.json')
@ApiTags('Documentation')
@Allow('public')
export class OpenApiController {
  private readonly documents = new Map<Listener, OpenAPIObject>();
  private readonly answers = new Map<Listener, FixedAnswer>();

  constructor(private readonly listeners: Listeners) {}

  publish(listener: Listener, document: OpenAPIObject): void {
    this.documents.set(listener, document);
    const bytes = Buffer.from(JSON.stringify(document));
    this.answers.set(listener, new FixedAnswer(bytes, 'application/json; charset=utf-8'));
  }

  /** Undefined before it is published. */
  documentOf(listener: Listener): OpenAPIObject | undefined {
    return this.documents.get(listener);
  }

  @Get()
  @ApiOperation({
    operationId: 'openapi',
    summary: 'This document, OpenAPI 3.1',
    description: 'The public port describes what it serves; the internal port describes everything.',
  })
  @ApiResponse({ status: 200, description: 'OpenAPI 3.1', schema: { type: 'object' }, headers: ETAG })
  @ApiResponse(NOT_MODIFIED)
  async read(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const answer = this.answers.get(this.listeners.listenerOf(request.raw));
    if (answer === undefined) throw new ServiceError('SERVICE_UNAVAILABLE', ERROR_MESSAGES.SERVICE_UNAVAILABLE);
    await answer.send(request, reply);
  }
}
