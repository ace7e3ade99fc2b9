import { closedObject, dateTime, text, uuid } from '../../platform/openapi/schemas.js';
import { JWK_SET_SCHEMA } from './client-keys.schema.js';

const scopes = { type: 'array', items: text } as const;
const status = { type: 'string', enum: ['active', 'disabled'] };

const LISTED = {
  id: uuid,
  name: text,
  scopes,
  status,
  createdAt: dateTime,
  createdBy: { ...text, description: 'Who created it: the id of a client, or the name of an administrator' },
};

export const CREATED_SCHEMA = closedObject(
  {
    clientId: uuid,
    shaSecret: uuid,
    clientSecret: text,
    scopes: { ...scopes, description: 'What they have become, when one was a name of an earlier release' },
    jwks: JWK_SET_SCHEMA,
  },
  { required: ['clientId', 'shaSecret', 'clientSecret'] },
);
export const LIST_SCHEMA = { type: 'array', items: closedObject(LISTED) };
export const INTEGRATION_SCHEMA = closedObject(
  {
    ...LISTED,
    shaSecret: { type: ['string', 'null'], description: 'null for a caller who does not hold its scopes' },
    jwks: { ...JWK_SET_SCHEMA, description: 'Absent for one without keys' },
  },
  { required: [...Object.keys(LISTED), 'shaSecret'] },
);
export const KEYS_SCHEMA = closedObject({ id: uuid, jwks: JWK_SET_SCHEMA });
export const CHANGED_SCHEMA = closedObject({ id: uuid, name: text, status });
/** Shown once. */
export const REFRESHED_SCHEMA = closedObject({ clientId: uuid, clientSecret: uuid });
export const DELETED_SCHEMA = closedObject({ id: uuid, name: text });

const ENTRY = {
  id: uuid,
  clientId: uuid,
  clientType: { type: 'string', enum: ['system', 'user'] },
  operation: { ...text, description: '`event.search`, `auth.token`, …' },
  requestData: { description: 'The request; of more than 8,192 bytes `{cut, bytes, sha256}` of its JSON text' },
  responseSummary: { type: ['object', 'null'], description: 'What came of it' },
  createdAt: dateTime,
};
export const AUDIT_SCHEMA = closedObject({
  results: { type: 'array', items: closedObject(ENTRY), description: 'The newest first' },
  total: { type: 'integer' },
});
