import type { Primary } from '../connection/primary.js';
import { OwnConnections } from './own-connections.js';

/** Concurrent look-ups of unknown clients. */
export const LOOK_UPS_AT_ONCE = 1;
export const SPENT_AT_ONCE = 2;
const DEADLINE_MS = 5_000;

/**
 * For token requests: searches, health checks, revocation and the change feed neither delay them nor wait for them
 * (Q-2).
 */
export class CredentialsDatabase extends OwnConnections {
  constructor(primary: Primary) {
    super(primary.pool('matricula credentials', LOOK_UPS_AT_ONCE + SPENT_AT_ONCE, { statementMs: DEADLINE_MS }));
  }
}
