import type { Primary } from '../connection/primary.js';
import { OwnConnections } from './own-connections.js';

/** How many unknown clients are looked up at a time. */
export const LOOK_UPS_AT_ONCE = 1;
/** How many assertions are spent at a time. */
export const SPENT_AT_ONCE = 2;
const DEADLINE_MS = 5_000;

/**
 * The same database over separate connections, for what whoever asks for a token makes the service look up or write:
 * neither searches nor health checks, revocation and the change feed wait for it, nor does it wait for them.
 */
export class CredentialsDatabase extends OwnConnections {
  constructor(primary: Primary) {
    super(primary.pool('matricula credentials', LOOK_UPS_AT_ONCE + SPENT_AT_ONCE, { statementMs: DEADLINE_MS }));
  }
}
