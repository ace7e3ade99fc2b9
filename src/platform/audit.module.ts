import { Module } from '@nestjs/common';

import { AuditLog } from './audit/audit-log.js';
import { AuditMetrics } from './audit/audit-metrics.js';
import { AuditPages } from './audit/audit-pages.js';
import { AuditWriter } from './audit/audit-writer.js';

/** Needs the global `DatabaseModule`. */
@Module({ providers: [AuditLog, AuditMetrics, AuditPages, AuditWriter], exports: [AuditLog, AuditMetrics, AuditPages] })
export class AuditModule {}
