import { TOPICS } from '../topic.js';
import { DELIVERY_STATUSES } from './delivery-status.js';

const uuid = { type: 'string', format: 'uuid' } as const;
const dateTime = { type: 'string', format: 'date-time' } as const;
const nullable = (type: string): object => ({ type: [type, 'null'] });
const status = {
  type: 'string',
  enum: [...DELIVERY_STATUSES],
  description:
    '`dead`: given up after the last attempt, or as the subscription was disabled; `dropped`: as the subscription had ended',
};

/** OpenAPI schema of the attempts of an outbox. */
export const ATTEMPTS_SCHEMA = {
  type: 'array',
  description: 'The latest 20, in the order in which they were made',
  items: {
    type: 'object',
    required: ['at', 'durationMs', 'status', 'error', 'response'],
    additionalProperties: false,
    properties: {
      at: dateTime,
      durationMs: { type: 'integer', minimum: 0 },
      status: { ...nullable('integer'), description: 'HTTP status of the answer' },
      error: {
        ...nullable('string'),
        description:
          'What kept an answer from coming: `dns`, `connect`, `tls`, `timeout`, `reset`, `protocol`, `refused` or `internal`, with what is known of it; or, of a confirmation, why the answer cannot be used',
      },
      response: { ...nullable('string'), description: 'The first KiB of the answer' },
    },
  },
};

/** OpenAPI schemas of the delivery log (W-10). */
export const DELIVERIES_SCHEMA = {
  type: 'object',
  required: ['deliveries', 'cursor'],
  additionalProperties: false,
  properties: {
    deliveries: {
      type: 'array',
      items: {
        type: 'object',
        required: ['id', 'topic', 'eventId', 'status', 'createdAt', 'nextAttemptAt', 'attempts'],
        additionalProperties: false,
        properties: {
          id: { ...uuid, description: '`payload.id` of the notification' },
          topic: { type: 'string', enum: [...TOPICS] },
          eventId: uuid,
          status,
          createdAt: dateTime,
          nextAttemptAt: { type: ['string', 'null'], format: 'date-time', description: 'null unless it is pending' },
          attempts: ATTEMPTS_SCHEMA,
        },
      },
    },
    cursor: { ...nullable('string'), description: 'Brings the next page; null when there is none' },
  },
};

/** How many deliveries are sent again. */
export const REPLAYED_SCHEMA = {
  type: 'object',
  required: ['replayed'],
  additionalProperties: false,
  properties: { replayed: { type: 'integer', minimum: 0 } },
};
