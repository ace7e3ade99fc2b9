import { Module } from '@nestjs/common';

import { AuditModule } from '../platform/audit.module.js';
import { RegistrationNumbersModule } from './registration-numbers.module.js';
import { EventWriter } from './write/event-writer.js';
import { WriterMetrics } from './write/writer-metrics.js';

/** Writes events. Publishes if there is a global `Publisher`, and posts requested actions if there is an `Outgoing`. */
@Module({
  imports: [AuditModule, RegistrationNumbersModule],
  providers: [EventWriter, WriterMetrics],
  exports: [EventWriter, WriterMetrics],
})
export class WriterModule {}
