import { Module } from '@nestjs/common';

import { AuditLog } from './audit-log.js';
import { AuditMetrics } from './audit-metrics.js';
import { AuditWriter } from './audit-writer.js';

/** Needs the global `DatabaseModule`. */
@Module({ providers: [AuditLog, AuditMetrics, AuditWriter], exports: [AuditLog, AuditMetrics] })
export class AuditModule {}
