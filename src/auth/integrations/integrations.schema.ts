import { JWK_SET_SCHEMA } from '../assertions/client-keys.schema.js';

const uuid = { type: 'string', format: 'uuid' } as const;
const text = { type: 'string' } as const;
const scopes = { type: 'array', items: text } as const;
const status = { type: 'string', enum: ['active', 'disabled'] } as const;

const closed = (properties: Readonly<Record<string, object>>, optional: readonly string[] = []): object => ({
  type: 'object',
  properties,
  required: Object.keys(properties).filter((name) => !optional.includes(name)),
  additionalProperties: false,
});

const LISTED = {
  id: uuid,
  name: text,
  scopes,
  status,
  createdAt: { type: 'string', format: 'date-time' },
  createdBy: { ...text, description: 'Who created it: the id of a client, or the name of an administrator' },
} as const;

/** OpenAPI schemas of answers about integrations (I-1). */
export const CREATED_SCHEMA = closed(
  {
    clientId: uuid,
    shaSecret: uuid,
    clientSecret: text,
    scopes: { ...scopes, description: 'What they have become, when one was a name of an earlier release' },
    jwks: JWK_SET_SCHEMA,
  },
  ['scopes', 'jwks'],
);
/** All integrations. */
export const LIST_SCHEMA = { type: 'array', items: closed(LISTED) };
/** One integration. */
export const INTEGRATION_SCHEMA = closed(
  {
    ...LISTED,
    shaSecret: { type: ['string', 'null'], description: 'null for a caller who does not hold its scopes' },
    jwks: { ...JWK_SET_SCHEMA, description: 'Absent for one without keys' },
  },
  ['jwks'],
);
/** The keys that it signs assertions with, after they were set. */
export const KEYS_SCHEMA = closed({ id: uuid, jwks: JWK_SET_SCHEMA });
/** After an integration was activated or deactivated. */
export const CHANGED_SCHEMA = closed({ id: uuid, name: text, status });
/** The new client secret, which is shown once. */
export const REFRESHED_SCHEMA = closed({ clientId: uuid, clientSecret: uuid });
/** What was deleted. */
export const DELETED_SCHEMA = closed({ id: uuid, name: text });

const ENTRY = {
  id: uuid,
  clientId: uuid,
  clientType: { type: 'string', enum: ['system', 'user'] },
  operation: { ...text, description: '`event.search`, `auth.token`, …' },
  requestData: { description: 'The request' },
  responseSummary: { type: ['object', 'null'], description: 'What came of it' },
  createdAt: { type: 'string', format: 'date-time' },
} as const;
/** A page of the operations of an integration, and how many there are. */
export const AUDIT_SCHEMA = closed({
  results: { type: 'array', items: closed(ENTRY), description: 'The newest first' },
  total: { type: 'integer' },
});
