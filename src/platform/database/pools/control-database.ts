import type { Primary } from '../connection/primary.js';
import { OwnConnections } from './own-connections.js';

/** The queries here are short; a second connection, so that one need not wait for another. */
const POOL_SIZE = 2;
const DEADLINE_MS = 5_000;

/**
 * The same database over separate connections, for queries that must be answered however many searches, writes and
 * imports there are: whether the process is ready, which clients are active, which keys are accepted.
 */
export class ControlDatabase extends OwnConnections {
  constructor(primary: Primary) {
    super(primary.pool('matricula control', POOL_SIZE, { statementMs: DEADLINE_MS }));
  }
}
