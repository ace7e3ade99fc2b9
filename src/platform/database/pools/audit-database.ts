import type { Primary } from '../connection/primary.js';
import { OwnConnections } from './own-connections.js';

/** A late write is cancelled and repeated, so that both do not complete. */
const DEADLINE_MS = 3_000;

/** Separate, so that audit rows outside of transactions do not wait behind searches. */
export class AuditDatabase extends OwnConnections {
  constructor(primary: Primary) {
    super(primary.pool('matricula audit', 1, { statementMs: DEADLINE_MS }));
  }
}
