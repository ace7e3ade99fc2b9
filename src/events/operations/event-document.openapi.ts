import type { SchemaObject } from '@nestjs/swagger';
import { closedObject, instant, text, uuid } from '../../platform/openapi/schemas.js';
import { ACTION_STATUSES, ACTION_TYPES } from '../../kernel/domain/event-action.js';
import { USER_TYPES } from '../../kernel/domain/author.js';

const change: SchemaObject = { type: 'object', additionalProperties: true };

const ACTION = closedObject(
  {
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
    assignedTo: text,
    registrationNumber: text,
    requestId: uuid,
    customActionType: text,
    content: change,
  },
  { required: ['id', 'transactionId', 'type', 'status', 'createdAt', 'createdBy', 'declaration'] },
);

/** Actions in order; members without a value are absent. */
export const EVENT_DOCUMENT: SchemaObject = {
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
