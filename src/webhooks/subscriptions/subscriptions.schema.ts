import { NOTIFICATION_FORMATS } from '../notification/notification-format.js';
import { TOPICS } from '../topic.js';

const text = { type: 'string' } as const;
const uuid = { type: 'string', format: 'uuid' } as const;
const query = {
  $ref: '#/components/schemas/QueryType',
  description: 'The clause tree of a search: only events whose record matches it are sent',
} as const;

/** OpenAPI schemas of subscriptions (W-1, W-3). */
export const SUBSCRIBE_SCHEMA = {
  type: 'object',
  required: ['hub'],
  additionalProperties: false,
  properties: {
    hub: {
      type: 'object',
      required: ['callback', 'mode', 'topic', 'secret'],
      additionalProperties: false,
      properties: {
        callback: { ...text, format: 'uri', pattern: '^https?:', maxLength: 2_048, description: 'Absolute https URL' },
        mode: { ...text, enum: ['subscribe'] },
        topic: { ...text, enum: [...TOPICS] },
        secret: { ...uuid, description: 'The `sha_secret` of the client' },
        format: {
          type: 'string',
          enum: [...NOTIFICATION_FORMATS],
          description: 'Absent: that of the subscription that is renewed, or the default of the client',
        },
        query: {
          anyOf: [query, { type: 'null', description: 'Every event of the topic' }],
          description: 'Absent: that of the subscription that is renewed, or every event',
        },
      },
    },
  },
};

export const WEBHOOK_FORMAT_SCHEMA = {
  type: 'object',
  required: ['client_id', 'format'],
  additionalProperties: false,
  properties: { client_id: uuid, format: { type: 'string', enum: [...NOTIFICATION_FORMATS] } },
};

export const DENIED_SCHEMA = {
  type: 'object',
  required: ['hub'],
  additionalProperties: false,
  properties: {
    hub: {
      type: 'object',
      required: ['mode', 'topic', 'reason'],
      additionalProperties: false,
      properties: { mode: { type: 'string', enum: ['denied'] }, topic: text, reason: text },
    },
  },
};

export const ENTRIES_SCHEMA = {
  type: 'object',
  required: ['entries'],
  additionalProperties: false,
  properties: {
    entries: {
      type: 'array',
      items: {
        type: 'object',
        required: ['id', 'callback', 'createdAt', 'createdBy', 'topic', 'status'],
        additionalProperties: false,
        properties: {
          id: uuid,
          callback: { ...text, format: 'uri' },
          createdAt: { type: 'string', format: 'date-time' },
          createdBy: {
            type: 'object',
            required: ['client_id', 'type', 'username', 'name'],
            additionalProperties: false,
            properties: { client_id: uuid, type: { type: 'string', enum: ['api'] }, username: text, name: text },
          },
          topic: { type: 'string', enum: [...TOPICS] },
          status: { type: 'string', enum: ['active', 'disabled', 'ended'] },
          format: { type: 'string', enum: [...NOTIFICATION_FORMATS], description: 'Absent: standard' },
          query: { ...query, description: 'Absent: every event of the topic' },
        },
      },
    },
  },
};
