import { ApiResponse } from '@nestjs/swagger';
import { ERROR_STATUS, type ErrorCode } from '../../kernel/errors/service-error.js';

/** Describes an error of a route beside those that the gateway may answer: an error object with this code (G-4). */
export const ApiErrorAnswer = (code: ErrorCode, description: string): MethodDecorator =>
  ApiResponse({ status: ERROR_STATUS[code], description, schema: { $ref: '#/components/schemas/ErrorObject' } });

/**
 * Describes an error of a route by the answer with this code that all routes share; `description` says when it is given
 * here, in place of the shared one.
 */
export const ApiSharedError = (code: ErrorCode, description?: string): MethodDecorator =>
  ApiResponse({
    status: ERROR_STATUS[code],
    ...{ $ref: `#/components/responses/${code}` },
    ...(description !== undefined && { description }),
  });
