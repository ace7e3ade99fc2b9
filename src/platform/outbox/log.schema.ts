import { closedObject, dateTime } from '../openapi/schemas.js';

const nullable = (type: string): object => ({ type: [type, 'null'] });

/** OpenAPI schema of the attempts of an outbox. */
export const ATTEMPTS_SCHEMA = {
  type: 'array',
  description: 'The latest 20, in the order in which they were made',
  items: closedObject({
    at: dateTime,
    durationMs: { type: 'integer', minimum: 0 },
    status: { ...nullable('integer'), description: 'HTTP status of the answer' },
    error: {
      ...nullable('string'),
      description:
        'What kept an answer from coming: `dns`, `connect`, `tls`, `timeout`, `reset`, `protocol`, `refused` or `internal`, with what is known of it; or, of a confirmation, why the answer cannot be used',
    },
    response: { ...nullable('string'), description: 'The first KiB of the answer' },
  }),
};

/** OpenAPI schema of how many rows of an outbox are made again. */
export const REPLAYED_SCHEMA = closedObject({ replayed: { type: 'integer', minimum: 0 } });
