import { closedObject, dateTime, text, uuid } from '../../platform/openapi/schemas.js';
import { NOTIFICATION_FORMATS } from '../notification/notification-format.js';
import { TOPICS } from '../../kernel/domain/life-cycle/topic.js';

export const FILTER_SCHEMA = {
  $ref: '#/components/schemas/QueryType',
  description: 'The clause tree of a search: only events whose record matches it are sent',
};

/** W-1, W-3. */
export const DENIED_SCHEMA = closedObject({
  hub: closedObject({ mode: { type: 'string', enum: ['denied'] }, topic: text, reason: text }),
});

export const ENTRIES_SCHEMA = closedObject({
  entries: {
    type: 'array',
    items: closedObject(
      {
        id: uuid,
        callback: { ...text, format: 'uri' },
        createdAt: dateTime,
        createdBy: closedObject({
          client_id: uuid,
          type: { type: 'string', enum: ['api'] },
          username: text,
          name: text,
        }),
        topic: { type: 'string', enum: [...TOPICS] },
        status: { type: 'string', enum: ['active', 'disabled', 'ended'] },
        format: { type: 'string', enum: [...NOTIFICATION_FORMATS], description: 'Absent: standard' },
        query: { ...FILTER_SCHEMA, description: 'Absent: every event of the topic' },
      },
      { required: ['id', 'callback', 'createdAt', 'createdBy', 'topic', 'status'] },
    ),
  },
});
