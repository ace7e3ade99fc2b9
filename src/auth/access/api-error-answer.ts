import { ApiResponse } from '@nestjs/swagger';
import { ERROR_STATUS, type ErrorCode } from '../../kernel/errors/service-error.js';

/** Documents an error of one route (G-4). */
export const ApiErrorAnswer = (code: ErrorCode, description: string): MethodDecorator =>
  ApiResponse({ status: ERROR_STATUS[code], description, schema: { $ref: '#/components/schemas/ErrorObject' } });

/** `description` replaces the shared one. */
export const ApiSharedError = (code: ErrorCode, description?: string): MethodDecorator =>
  ApiResponse({
    status: ERROR_STATUS[code],
    ...{ $ref: `#/components/responses/${code}` },
    ...(description !== undefined && { description }),
  });
