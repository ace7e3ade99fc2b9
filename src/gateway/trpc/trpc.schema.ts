/** In prose: some generators cannot express an object or a list of such. */
const RESULT = '`{"result":{"data":{"json":…}}}`, with the answer of the operation';
const FAILED = '`{"error":{"json":{"message","code","data":{"code","httpStatus","path","issues"}}}}`';
const BATCH = 'for a batch a list of them, in the order of its calls';

/** Success: one call, or a batch. */
export const TRPC_RESULT_SCHEMA = { description: `${RESULT}; ${BATCH}` };
/** Failure: one call, or a whole batch. */
export const TRPC_FAILED_SCHEMA = { description: `${FAILED}; ${BATCH}` };
/** A failed call, or the gateway's refusal before routing. */
export const TRPC_REFUSED_SCHEMA = { description: `${FAILED}; ${BATCH}. An ErrorObject, if no procedure is named` };
/** A partly failed batch. */
export const TRPC_MIXED_SCHEMA = { type: 'array', items: { description: `${RESULT}, or ${FAILED}` } };
