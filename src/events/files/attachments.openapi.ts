import { closedObject } from '../../platform/openapi/closed-object.js';
import { uuid } from '../../platform/openapi/value-schemas.js';

export const ATTACHMENT_FORM = closedObject(
  {
    file: { type: 'string', format: 'binary', description: 'JPEG, PNG, WebP or PDF; its name is not looked at' },
    transactionId: {
      type: 'string',
      pattern: '^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$',
      description: 'Chosen by the client, such as a UUID; the last segment of the path',
    },
    eventId: { ...uuid, description: 'The record that the file is for' },
    path: { type: 'string', deprecated: true, description: '`events/{eventId}`, from clients of release 2.0' },
  },
  { required: ['file', 'transactionId'] },
);

/** Upstream's envelope. */
export const ATTACHMENT_ANSWER = closedObject({
  result: closedObject({
    data: closedObject({
      json: {
        type: 'string',
        description: '`events/{eventId}/{transactionId}.{ext}`, or `uploads/…` without an event',
      },
    }),
  }),
});
