import type { Primary } from '../connection/primary.js';
import { OwnConnections } from './own-connections.js';

/** Short queries; two, so that one need not wait for another. */
const POOL_SIZE = 2;
const DEADLINE_MS = 5_000;

/** For queries answered under any load: readiness, active clients, accepted keys. */
export class ControlDatabase extends OwnConnections {
  constructor(primary: Primary) {
    super(primary.pool('matricula control', POOL_SIZE, { statementMs: DEADLINE_MS }));
  }
}
