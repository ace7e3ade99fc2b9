import { Controller, Get } from '@nestjs/common';
import type { OpenAPIObject } from '@nestjs/swagger';
import { ApiOperation, ApiResponse, ApiTags } from '@nestjs/swagger';

import { Allow } from '../../access/allow.js';
import { ServiceError } from '../../errors/service-error.js';
import { ERROR_MESSAGES } from '../errors/error-messages.js';

/** The OpenAPI document (G-9). It describes the whole application, so it is handed in once that is built. */
@Controller('openapi.json')
@ApiTags('Documentation')
@Allow('public')
export class OpenApiController {
  private built: OpenAPIObject | undefined;

  publish(document: OpenAPIObject): void {
    this.built = document;
  }

  @Get()
  @ApiOperation({
    operationId: 'openapi',
    summary: 'This document, OpenAPI 3.1',
    description: 'The public port describes what it serves; the internal port describes everything.',
  })
  @ApiResponse({ status: 200, description: 'OpenAPI 3.1', schema: { type: 'object' } })
  read(): OpenAPIObject {
    if (this.built === undefined) {
      throw new ServiceError('SERVICE_UNAVAILABLE', ERROR_MESSAGES.SERVICE_UNAVAILABLE);
    }
    return this.built;
  }
}
