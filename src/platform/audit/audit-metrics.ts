import { Injectable } from '@nestjs/common';
import { Counter, Gauge, Registry } from 'prom-client';

import { AuditWriter } from './audit-writer.js';

/** Metrics of audit rows outside of transactions (G-10). */
@Injectable()
export class AuditMetrics {
  readonly registry = new Registry();

  constructor(writer: AuditWriter) {
    new Gauge({
      name: 'matricula_audit_waiting_rows',
      help: 'Rows of the audit log that this process has not written yet',
      registers: [this.registry],
      collect() {
        this.set(writer.waitingCount);
      },
    });
    new Counter({
      name: 'matricula_audit_rows_total',
      help: 'Rows of the audit log that this process has written beside transactions',
      registers: [this.registry],
      collect() {
        this.reset();
        this.inc(writer.written);
      },
    });
    new Counter({
      name: 'matricula_audit_failures_total',
      help: 'Attempts to write them that failed; they are tried again',
      registers: [this.registry],
      collect() {
        this.reset();
        this.inc(writer.failed);
      },
    });
  }
}
