/**
 * The envelope of tRPC 11 and superjson, in prose: what is an object or a list of such is a type that generators in some
 * languages cannot write.
 */
const RESULT = '`{"result":{"data":{"json":…}}}`, with the answer of the operation';
const FAILED = '`{"error":{"json":{"message","code","data":{"code","httpStatus","path","issues"}}}}`';
const BATCH = 'for a batch a list of them, in the order of its calls';

/** Calls that succeeded: one, or a batch. */
export const TRPC_RESULT_SCHEMA = { description: `${RESULT}; ${BATCH}` };
/** Calls that failed: one, or all of a batch. */
export const TRPC_FAILED_SCHEMA = { description: `${FAILED}; ${BATCH}` };
/** The same, or the gateway's refusal of a request before it is known for one of procedures. */
export const TRPC_REFUSED_SCHEMA = { description: `${FAILED}; ${BATCH}. An ErrorObject, if no procedure is named` };
/** A batch of which some calls failed. */
export const TRPC_MIXED_SCHEMA = { type: 'array', items: { description: `${RESULT}, or ${FAILED}` } };
