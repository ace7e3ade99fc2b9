import type { Pool } from 'pg';
import type { StatementTime } from '../connection/guarded-client.js';
import type { Primary } from '../connection/primary.js';
import { Connections } from './connections.js';

/** A pool reserved for one purpose; it ends with the application. */
abstract class OwnConnections extends Connections {
  protected constructor(
    private readonly own: Pool,
    time: StatementTime = 'usual',
  ) {
    super(() => own, undefined, time);
  }

  /** Idempotent. */
  async close(): Promise<void> {
    if (!this.own.ending) await this.own.end();
  }

  onApplicationShutdown(): Promise<void> {
    return this.close();
  }
}

/** A late write is cancelled and repeated, so that both do not complete. */
const AUDIT_DEADLINE_MS = 3_000;

/** Separate, so that audit rows outside of transactions do not wait behind searches. */
export class AuditDatabase extends OwnConnections {
  constructor(primary: Primary) {
    super(primary.pool('matricula audit', 1, { statementMs: AUDIT_DEADLINE_MS }));
  }
}

/** Short queries; two, so that one need not wait for another. */
const CONTROLS_AT_ONCE = 2;
/** For control and credentials. */
const QUICK_MS = 5_000;

/** For queries answered under any load: readiness, active clients, accepted keys. */
export class ControlDatabase extends OwnConnections {
  constructor(primary: Primary) {
    super(primary.pool('matricula control', CONTROLS_AT_ONCE, { statementMs: QUICK_MS }));
  }
}

/** Concurrent look-ups of unknown clients. */
export const LOOK_UPS_AT_ONCE = 1;
export const SPENT_AT_ONCE = 2;

/**
 * For token requests: searches, health checks, revocation and the change feed neither delay them nor wait for them
 * (Q-2).
 */
export class CredentialsDatabase extends OwnConnections {
  constructor(primary: Primary) {
    super(primary.pool('matricula credentials', LOOK_UPS_AT_ONCE + SPENT_AT_ONCE, { statementMs: QUICK_MS }));
  }
}

/** For streams, each held while its client reads; at most `size`. */
export class ExportDatabase extends OwnConnections {
  constructor(
    primary: Primary,
    readonly size: number,
  ) {
    super(primary.pool('matricula export', size));
  }
}

/** An import takes one per batch; writing also takes a core. */
const IMPORTS_AT_ONCE = 2;

/** For imports over HTTP, to spare searches. Statements may take long, such as a vacuum. */
export class ImportDatabase extends OwnConnections {
  constructor(primary: Primary) {
    super(primary.pool('matricula import', IMPORTS_AT_ONCE), 'long');
  }
}

/** Write transactions of events in a process; each takes all waiting commands. */
export const WRITES_AT_ONCE = 2;
const WAITS_AT_ONCE = 1;
/** Limits the wait for others, such as an import; the operations then fail. */
const WRITE_DEADLINE_MS = 15_000;

/** For operations on events, which must not wait behind searches. */
export class WriteDatabase extends OwnConnections {
  constructor(primary: Primary) {
    super(
      primary.pool('matricula write', WRITES_AT_ONCE + WAITS_AT_ONCE, {
        statementMs: WRITE_DEADLINE_MS,
        gathers: true,
      }),
    );
  }
}
