import { Module } from '@nestjs/common';

import { AuditModule } from '../../audit/audit.module.js';
import { RegistrationNumbersModule } from '../registration-numbers/registration-numbers.module.js';
import { EventWriter } from './event-writer.js';
import { WriterMetrics } from './writer-metrics.js';

/** Writes events. Publishes if there is a global `Publisher`, and posts requested actions if there is an `Outgoing`. */
@Module({
  imports: [AuditModule, RegistrationNumbersModule],
  providers: [EventWriter, WriterMetrics],
  exports: [EventWriter, WriterMetrics],
})
export class WriterModule {}
