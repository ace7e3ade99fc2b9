import { closedObject } from '../../platform/openapi/closed-object.js';
import { dateTime, uuid } from '../../platform/openapi/value-schemas.js';
import { ACTION_TYPES } from '../../kernel/domain/event-action.js';
import { ATTEMPTS_SCHEMA } from '../../platform/outbox/log.schema.js';
import { CONFIRMATION_STATUSES } from './confirmation-status.js';

/** OpenAPI schema of the list of confirmations. */
export const CONFIRMATIONS_SCHEMA = closedObject({
  confirmations: {
    type: 'array',
    items: closedObject({
      actionId: { ...uuid, description: 'Of the Requested action' },
      eventId: uuid,
      eventType: { type: 'string' },
      actionType: { type: 'string', enum: [...ACTION_TYPES] },
      status: {
        type: 'string',
        enum: [...CONFIRMATION_STATUSES],
        description:
          '`waiting`: a 202, and no answer yet; `dead`: given up after the last attempt; `over`: answered otherwise, or gone',
      },
      createdAt: dateTime,
      nextAttemptAt: { type: ['string', 'null'], format: 'date-time', description: 'null unless it is pending' },
      attempts: ATTEMPTS_SCHEMA,
    }),
  },
  cursor: { type: ['string', 'null'], description: 'Brings the next page; null when there is none' },
});
