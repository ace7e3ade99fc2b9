import { applyDecorators, Delete, Get, HttpCode, Post, type Type } from '@nestjs/common';
import {
  ApiBody,
  ApiExtraModels,
  ApiOperation,
  ApiResponse,
  ApiTags,
  getSchemaPath,
  type SchemaObject,
} from '@nestjs/swagger';
import { Allow, AllowOnly, NoHead } from '../../auth/access/decorators.js';
import { ApiSharedError } from '../../auth/access/api-error-answer.js';
import type { Permission } from '../../kernel/domain/scopes/permission.js';
import { UuidParam } from '../../auth/access/parameters.js';
import { LIFE_CYCLE } from '../../kernel/domain/life-cycle/life-cycle.js';
import type { ActionType } from '../../kernel/domain/event-action.js';
import { EVENT_DOCUMENT } from './event-document.openapi.js';

interface EventOperation {
  readonly method?: 'GET' | 'POST' | 'DELETE';
  readonly path: string;
  /** Where the page of the document has it. */
  readonly tag?: 'Create' | 'Notify' | 'Records';
  readonly operationId: string;
  readonly summary: string;
  readonly description: string;
  readonly body?: Type;
  /** The only `type` the body may name. */
  readonly action?: ActionType;
  /** Absent: the event. */
  readonly answer?: { readonly description: string; readonly schema: SchemaObject };
}

const METHODS = { GET: Get, POST: Post, DELETE: Delete } as const;

/** Answers 200 with the event. */
export const EventOperation = ({
  method = 'POST',
  path,
  tag = 'Records',
  operationId,
  summary,
  description,
  body,
  action,
  answer = { description: 'The event as it is now', schema: EVENT_DOCUMENT },
}: EventOperation): MethodDecorator =>
  applyDecorators(
    METHODS[method](path),
    HttpCode(200),
    ApiTags(tag),
    ApiOperation({ operationId, summary, description }),
    ...(path.includes(':eventId')
      ? [UuidParam('eventId')]
      : [ApiSharedError('NOT_FOUND', 'The caller may know of no such event')]),
    ...(body === undefined ? [] : [action === undefined ? ApiBody({ type: body }) : ActionBody(body, action)]),
    ...(method === 'DELETE' ? [] : [ApiResponse({ status: 200, ...answer })]),
    ...(method === 'GET'
      ? [NoHead()]
      : [
          ApiSharedError(
            'CONFLICT',
            'Its state or its assignment forbids it, or the transactionId was used with other content',
          ),
        ]),
  );

/** `askedAction` refuses every other type. */
const ActionBody = (body: Type, action: ActionType): MethodDecorator =>
  applyDecorators(
    ApiExtraModels(body),
    ApiBody({
      required: true,
      schema: {
        allOf: [{ $ref: getSchemaPath(body) }, { type: 'object', properties: { type: { enum: [action] } } }],
      },
    }),
  );

const OF_ACTIONS =
  'The state of the record must allow it. A user must have taken the event, and gives it back unless `keepAssignment`.';

/** With permissions from the life cycle (E-2). */
export const ActionOperation = (
  type: ActionType,
  operation: Omit<EventOperation, 'description' | 'action'> & Partial<Pick<EventOperation, 'description'>>,
): MethodDecorator => {
  const { by, permissions } = LIFE_CYCLE[type];
  const [first, ...others] = permissions as readonly Permission[];
  const [only, ...more] = by;
  return applyDecorators(
    EventOperation({ description: OF_ACTIONS, action: type, ...operation }),
    first === undefined ? Allow('authenticated') : Allow(first, ...others),
    ...(only !== undefined && more.length === 0 ? [AllowOnly(only)] : []),
  );
};
