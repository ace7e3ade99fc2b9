import { errorCode } from '../../errors/error-code.js';

/** A replica could not do what the primary may well do: read there. */
export class ReplicaFault extends Error {
  constructor(
    message: string,
    /** Whether it says something about the replica, and not about one statement alone. */
    readonly isLasting: boolean,
    options?: ErrorOptions,
  ) {
    super(message, options);
    this.name = 'ReplicaFault';
  }
}

/** Connection exceptions, lack of resources, shutting down, faults of the system and of the server itself. */
const LASTING = /^(08|53|57P|58|XX)/;
/** What was read conflicted with what is replayed. */
const CONFLICT = /^40/;

/** The failure of a statement as a fault of the replica that it ran on; undefined when it would fail anywhere. */
export function replicaFaultOf(error: unknown): ReplicaFault | undefined {
  const state = errorCode(error) ?? '';
  if (!LASTING.test(state) && !CONFLICT.test(state)) return undefined;
  return new ReplicaFault('the replica failed', LASTING.test(state), { cause: error });
}
