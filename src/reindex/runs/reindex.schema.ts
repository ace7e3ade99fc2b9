import { closedObject } from '../../access/closed-object.js';

const time = { type: 'string', format: 'date-time' } as const;

/** OpenAPI schema of a run, with upstream's keys. */
export const RUN_SCHEMA = closedObject(
  {
    id: { type: 'string', format: 'uuid' },
    timestamp: { ...time, description: 'When it was started' },
    status: { type: 'string', enum: ['running', 'completed', 'failed'] },
    progress: closedObject({ processed: { type: 'integer', description: 'Events' } }),
    error_message: { type: 'string' },
    completed_at: time,
  },
  { required: ['id', 'timestamp', 'status', 'progress'] },
);
