import { closedObject } from '../../platform/openapi/closed-object.js';

const code = { type: 'string', description: 'As tRPC names it' } as const;

const RESULT = closedObject({
  result: closedObject({
    data: closedObject({ json: { description: 'The answer of the operation' } }),
  }),
});

/** A failed call in the envelope of tRPC 11 and superjson. */
const TRPC_ERROR_SCHEMA = closedObject({
  error: closedObject({
    json: closedObject({
      message: { type: 'string' },
      code: { type: 'integer', description: 'As JSON-RPC numbers it' },
      data: closedObject(
        {
          code,
          httpStatus: { type: 'integer' },
          path: { type: 'string', description: 'The procedure' },
          issues: { type: 'array', items: { type: 'object', properties: { message: { type: 'string' } } } },
        },
        { required: ['code', 'httpStatus', 'path'] },
      ),
    }),
  }),
});

/** The answers to a batch, in the order of its calls. */
const listOf = (items: object): object => ({ type: 'array', items });

/** Calls that succeeded: one, or a batch. */
export const TRPC_RESULT_SCHEMA = { oneOf: [RESULT, listOf(RESULT)] };
/** Calls that failed: one, or all of a batch. */
export const TRPC_FAILED_SCHEMA = { oneOf: [TRPC_ERROR_SCHEMA, listOf(TRPC_ERROR_SCHEMA)] };
/** The same, or the gateway's refusal of a request before it is known for one of procedures. */
export const TRPC_REFUSED_SCHEMA = {
  oneOf: [...TRPC_FAILED_SCHEMA.oneOf, { $ref: '#/components/schemas/ErrorObject' }],
};
/** A batch of which some calls failed. */
export const TRPC_MIXED_SCHEMA = listOf({ oneOf: [RESULT, TRPC_ERROR_SCHEMA] });
