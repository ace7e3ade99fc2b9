import { Controller, Get, Injectable, Res } from '@nestjs/common';
import { ApiOperation, ApiResponse, ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import type { Pool } from 'pg';
import { collectDefaultMetrics } from 'prom-client';
import { Allow } from '../../auth/access/decorators.js';
import { RevokedTokens } from '../../auth/sessions/revoked-tokens.js';
import { EventWriter } from '../../events/write/event-writer.js';
import { AuditWriter } from '../../platform/audit/audit-writer.js';
import { poolOf } from '../../platform/database/connection/guarded-client.js';
import { Database } from '../../platform/database/pools/database.js';
import { SearchDatabase } from '../../platform/database/pools/search-database.js';
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

/** For Prometheus, on the internal port (G-10). */
@Controller('metrics')
@ApiTags('Health')
@Allow('public')
export class MetricsController {
  constructor(private readonly metrics: Metrics) {}

  @Get()
  @ApiOperation({
    operationId: 'metrics',
    summary: 'Metrics in the text format of Prometheus',
    description:
      'Requests by route and status, deliveries, refusals, the pool and the process. Counts of deliveries are of the database, and so the same in every process.',
  })
  @ApiResponse({ status: 200, description: 'Metrics', content: { 'text/plain': { schema: { type: 'string' } } } })
  async read(@Res({ passthrough: true }) reply: FastifyReply): Promise<string> {
    reply.type(this.metrics.registry.contentType);
    return this.metrics.registry.metrics();
  }
}
