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
import { Allow, AllowOnly, ApiSharedError, NoHead, UuidParam } from '../../auth/access/decorators.js';
import { USER_TYPES } from '../../kernel/domain/event-record.js';
import { ACTION_STATUSES, ACTION_TYPES, type ActionType } from '../../kernel/domain/event-action.js';
import { LIFE_CYCLE } from '../../kernel/domain/life-cycle/life-cycle.js';
import type { Permission } from '../../kernel/domain/scopes/permission.js';
import { closedObject, instant, text, uuid } from '../../platform/dto/schemas.js';

const change: SchemaObject = { type: 'object', additionalProperties: true };

/** Of an action, as upstream writes it. */
export const ACTION_MEMBERS = {
  id: uuid,
  transactionId: text,
  type: { type: 'string', enum: [...ACTION_TYPES] },
  status: { type: 'string', enum: [...ACTION_STATUSES] },
  createdAt: instant,
  createdBy: text,
  createdByUserType: { type: 'string', enum: [...USER_TYPES] },
  createdByRole: text,
  createdAtLocation: uuid,
  declaration: { ...change, description: 'Field id to value; null removes the field' },
  annotation: change,
  originalActionId: { ...uuid, description: 'The Requested action that this one accepts or rejects' },
  assignedTo: { ...text, description: 'Of an ASSIGN' },
  registrationNumber: { ...text, description: 'Of an accepted REGISTER, or of the request that it accepts' },
  requestId: { ...uuid, description: 'The correction request that is answered' },
  customActionType: text,
  content: { ...change, description: 'Of a DUPLICATE_DETECTED: `duplicates`' },
} satisfies Record<string, SchemaObject>;

const ACTION = closedObject(ACTION_MEMBERS, {
  required: ['id', 'transactionId', 'type', 'status', 'createdAt', 'createdBy', 'declaration'],
});

/** Actions in order; members without a value are absent. */
const EVENT_DOCUMENT: SchemaObject = {
  ...closedObject({
    id: uuid,
    type: text,
    trackingId: { ...text, example: 'K3PZ9A' },
    createdAt: instant,
    updatedAt: instant,
    actions: { type: 'array', items: ACTION },
  }),
  description:
    'An event with its actions. To a caller whose scopes for `record.read` do not cover it, the actions of others come without what was declared',
};

export const EVENT_DOCUMENTS: SchemaObject = { type: 'array', items: EVENT_DOCUMENT };

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
