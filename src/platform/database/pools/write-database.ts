import type { Primary } from '../connection/primary.js';
import { OwnConnections } from './own-connections.js';

/** Write transactions of events in a process; each takes all waiting commands. */
export const WRITES_AT_ONCE = 2;
const WAITS_AT_ONCE = 1;
/** Limits the wait for others, such as an import; the operations then fail. */
const DEADLINE_MS = 15_000;

/** For operations on events, which must not wait behind searches. */
export class WriteDatabase extends OwnConnections {
  constructor(primary: Primary) {
    super(primary.pool('matricula write', WRITES_AT_ONCE + WAITS_AT_ONCE, { statementMs: DEADLINE_MS, gathers: true }));
  }
}
