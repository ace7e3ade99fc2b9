import { closedObject } from '../../platform/openapi/closed-object.js';
import { dateTime, uuid } from '../../platform/openapi/value-schemas.js';

/** Upstream's keys. */
export const RUN_SCHEMA = closedObject(
  {
    id: uuid,
    timestamp: { ...dateTime, description: 'When it was started' },
    status: { type: 'string', enum: ['running', 'completed', 'failed'] },
    progress: closedObject({ processed: { type: 'integer', description: 'Events' } }),
    error_message: { type: 'string' },
    completed_at: dateTime,
  },
  { required: ['id', 'timestamp', 'status', 'progress'] },
);
