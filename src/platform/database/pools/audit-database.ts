import type { Primary } from '../connection/primary.js';
import { OwnConnections } from './own-connections.js';

/**
 * After this time a write is cancelled and tried again, so that an abandoned write does not complete late in addition
 * to its repetition.
 */
const DEADLINE_MS = 3_000;

/**
 * The same database over a separate connection, for audit rows outside of transactions: they must not wait behind
 * searches, however many there are.
 */
export class AuditDatabase extends OwnConnections {
  constructor(primary: Primary) {
    super(primary.pool('matricula audit', 1, { statementMs: DEADLINE_MS }));
  }
}
