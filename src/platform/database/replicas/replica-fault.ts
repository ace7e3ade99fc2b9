import { errorCode } from '../../../kernel/errors/service-error.js';

/** The primary may be able to read it. */
export class ReplicaFault extends Error {
  constructor(
    message: string,
    /** Concerns the replica, not just one statement. */
    readonly isLasting: boolean,
    options?: ErrorOptions,
  ) {
    super(message, options);
    this.name = 'ReplicaFault';
  }
}

/** Connection exceptions, lack of resources, shutdown, faults of system or server. */
const LASTING = /^(08|53|57P|58|XX)/;
/** The read conflicted with replay. */
const CONFLICT = /^40/;

/** Undefined if the statement would fail anywhere. */
export function replicaFaultOf(error: unknown): ReplicaFault | undefined {
  const state = errorCode(error) ?? '';
  if (!LASTING.test(state) && !CONFLICT.test(state)) return undefined;
  return new ReplicaFault('the replica failed', LASTING.test(state), { cause: error });
}
