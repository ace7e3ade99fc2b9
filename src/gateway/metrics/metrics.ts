import { Injectable } from '@nestjs/common';
import type { Pool } from 'pg';
import { collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';

import { Refusals } from '../../platform/queue/refusals.js';
import { AuditMetrics } from '../../platform/audit/audit-metrics.js';
import { RevokedTokens } from '../../auth/sessions/revoked-tokens.js';
import { poolOf } from '../../platform/database/connection/guarded-pool.js';
import { Database } from '../../platform/database/pools/database.js';
import { DictionaryFollower } from '../../events/index/near-words/dictionary-follower.js';
import { ConfirmationMetrics } from '../../events/confirmation/confirmation-metrics.js';
import { NoticeMetrics } from '../../auth/notices/notice-metrics.js';
import { WriterMetrics } from '../../events/write/writer-metrics.js';
import { DeliveryMetrics } from '../../webhooks/delivery/delivery-metrics.js';
import { ReplicaMetrics } from './replica-metrics.js';

/** The Prometheus metrics of this process (G-10). */
@Injectable()
export class Metrics {
  readonly registry = new Registry();
  /** `route` is the pattern of an address, so that there are as many series as routes. */
  readonly durations = new Histogram({
    name: 'matricula_http_request_duration_seconds',
    help: 'Time from the head of a request to the end of its answer',
    labelNames: ['method', 'route', 'status'] as const,
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
    registers: [this.registry],
  });

  constructor(
    database: Database,
    private readonly deliveries: DeliveryMetrics,
    private readonly confirmations: ConfirmationMetrics,
    private readonly notices: NoticeMetrics,
    private readonly writer: WriterMetrics,
    private readonly replicas: ReplicaMetrics,
    private readonly refusals: Refusals,
    private readonly audit: AuditMetrics,
    revoked: RevokedTokens,
    words: DictionaryFollower,
  ) {
    collectDefaultMetrics({ register: this.registry });
    const gauges: Readonly<Record<string, (pool: Pool) => number>> = {
      total: (pool) => pool.totalCount,
      idle: (pool) => pool.idleCount,
      waiting: (pool) => pool.waitingCount,
    };
    new Gauge({
      name: 'matricula_database_pool_connections',
      help: 'Connections of the pool, and queries that wait for one',
      labelNames: ['state'] as const,
      registers: [this.registry],
      collect() {
        const pool = poolOf(database.dataSource);
        if (pool === undefined) return;
        for (const [state, count] of Object.entries(gauges)) this.set({ state }, count(pool));
      },
    });
    new Gauge({
      name: 'matricula_revoked_tokens',
      help: 'Access tokens and sessions that ended before their time, in the memory of this process',
      registers: [this.registry],
      collect() {
        this.set(revoked.size);
      },
    });
    new Gauge({
      name: 'matricula_declaration_paths',
      help: 'Paths of declarations, fields and what is inside them, that this process tells apart for searches',
      registers: [this.registry],
      collect() {
        this.set(words.paths.size);
      },
    });
    new Gauge({
      name: 'matricula_declaration_paths_beyond',
      help: '1 if there are more of them, which are searched as one; 0 if not',
      registers: [this.registry],
      collect() {
        this.set(words.paths.hasMore ? 1 : 0);
      },
    });
  }

  get contentType(): string {
    return this.registry.contentType;
  }

  /** All metrics, in the text format of Prometheus. */
  exposition(): Promise<string> {
    const parts = [
      this,
      this.writer,
      this.deliveries,
      this.confirmations,
      this.notices,
      this.replicas,
      this.refusals,
      this.audit,
    ];
    return Registry.merge(parts.map(({ registry }) => registry)).metrics();
  }
}
