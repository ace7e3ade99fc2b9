import { closedObject } from '../../platform/openapi/closed-object.js';
import { dateTime, uuid } from '../../platform/openapi/value-schemas.js';
import { ATTEMPTS_SCHEMA } from '../../platform/outbox/log.schema.js';
import { TOPICS } from '../../kernel/domain/life-cycle/topic.js';
import { DELIVERY_STATUSES } from './delivery-status.js';

const status = {
  type: 'string',
  enum: [...DELIVERY_STATUSES],
  description:
    '`dead`: given up after the last attempt, or as the subscription was disabled; `dropped`: as the subscription had ended',
};

/** OpenAPI schemas of the delivery log (W-10). */
export const DELIVERIES_SCHEMA = closedObject({
  deliveries: {
    type: 'array',
    items: closedObject({
      id: { ...uuid, description: '`payload.id` of the notification' },
      topic: { type: 'string', enum: [...TOPICS] },
      eventId: uuid,
      status,
      createdAt: dateTime,
      nextAttemptAt: { type: ['string', 'null'], format: 'date-time', description: 'null unless it is pending' },
      attempts: ATTEMPTS_SCHEMA,
    }),
  },
  cursor: { type: ['string', 'null'], description: 'Brings the next page; null when there is none' },
});
