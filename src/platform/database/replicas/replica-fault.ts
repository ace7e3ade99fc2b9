import { errorCode } from '../../../kernel/errors/error-code.js';

/** A replica could not read something that the primary may well be able to read. */
export class ReplicaFault extends Error {
  constructor(
    message: string,
    /** Whether the fault concerns the replica, and not just one statement. */
    readonly isLasting: boolean,
    options?: ErrorOptions,
  ) {
    super(message, options);
    this.name = 'ReplicaFault';
  }
}

/** Connection exceptions, lack of resources, shutting down, faults of the system and of the server itself. */
const LASTING = /^(08|53|57P|58|XX)/;
/** The read conflicted with replay. */
const CONFLICT = /^40/;

/** A statement's failure as a fault of the replica it ran on; undefined if it would fail anywhere. */
export function replicaFaultOf(error: unknown): ReplicaFault | undefined {
  const state = errorCode(error) ?? '';
  if (!LASTING.test(state) && !CONFLICT.test(state)) return undefined;
  return new ReplicaFault('the replica failed', LASTING.test(state), { cause: error });
}
