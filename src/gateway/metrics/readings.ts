import type { Pool } from 'pg';
import { Injectable } from '@nestjs/common';
import { collectDefaultMetrics } from 'prom-client';
import { RevokedTokens } from '../../auth/sessions/revoked-tokens.js';
import { EventWriter } from '../../events/write/event-writer.js';
import { AuditWriter } from '../../platform/audit/audit-writer.js';
import { poolOf } from '../../platform/database/connection/guarded-pool.js';
import { Database } from '../../platform/database/pools/database.js';
import { SearchDatabase } from '../../platform/database/replicas/search-database.js';
import { Metrics } from '../../platform/metrics/metrics.js';

const POOL: Readonly<Record<string, (pool: Pool) => number>> = {
  total: (pool) => pool.totalCount,
  idle: (pool) => pool.idleCount,
  waiting: (pool) => pool.waitingCount,
};

const REPLICA_STATES = ['up', 'behind', 'down'] as const;

/** Readings of parts of this process, taken when metrics are asked for (G-10). */
@Injectable()
export class Readings {
  constructor(
    metrics: Metrics,
    database: Database,
    searches: SearchDatabase,
    audit: AuditWriter,
    writer: EventWriter,
    revoked: RevokedTokens,
  ) {
    collectDefaultMetrics({ register: metrics.registry });
    metrics.read('matricula_database_pool_connections', () => {
      const pool = poolOf(database.dataSource);
      return pool && Object.entries(POOL).map(([state, count]) => [{ state }, count(pool)] as const);
    });
    metrics.read('matricula_search_reads_total', () => [
      [{ server: 'primary' }, searches.servedByPrimary] as const,
      ...searches.replicas.map(({ place: server, served }) => [{ server }, served] as const),
    ]);
    metrics.read('matricula_replica_state', () =>
      searches.replicas.flatMap(({ place: server, state: is }) =>
        REPLICA_STATES.map((state) => [{ server, state }, Number(is === state)] as const),
      ),
    );
    metrics.read('matricula_replica_lag_bytes', () =>
      searches.replicas.flatMap(({ place: server, lagBytes }) =>
        lagBytes === undefined ? [] : [[{ server }, lagBytes] as const],
      ),
    );
    metrics.read('matricula_revoked_tokens', () => revoked.size);
    metrics.read('matricula_audit_waiting_rows', () => audit.waitingCount);
    metrics.read('matricula_audit_rows_total', () => audit.written);
    metrics.read('matricula_audit_failures_total', () => audit.failed);
    metrics.read('matricula_event_writes_waiting', () => writer.load.waiting);
    metrics.read('matricula_event_writes_waiting_bytes', () => writer.load.waitingBytes);
    metrics.read('matricula_event_writes_running', () => writer.load.running);
  }
}
