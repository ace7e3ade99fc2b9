import type { Primary } from '../connection/primary.js';
import { OwnConnections } from './own-connections.js';

/** How many transactions write events at a time in one process; each takes what waits together. */
export const WRITES_AT_ONCE = 2;
/** And one that waits for an event that somebody else holds locked: see `HeldCommands`. */
const WAITS_AT_ONCE = 1;
/** A statement that waits longer for others, such as an import, fails, and with it the operations that need it. */
const DEADLINE_MS = 15_000;

/**
 * The same database over separate connections for operations on events, so that they do not wait behind searches,
 * however many there are.
 */
export class WriteDatabase extends OwnConnections {
  constructor(primary: Primary) {
    super(primary.pool('matricula write', WRITES_AT_ONCE + WAITS_AT_ONCE, { statementMs: DEADLINE_MS, gathers: true }));
  }
}
