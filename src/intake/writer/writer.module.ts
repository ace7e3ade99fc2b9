import { Module } from '@nestjs/common';

import { AuditModule } from '../../audit/audit.module.js';
import { RegistrationNumbersModule } from '../registration-numbers/registration-numbers.module.js';
import { EventWriter } from './event-writer.js';

/** Writes events. Publishes if there is a global `Publisher`, and posts requested actions if there is an `Outgoing`. */
@Module({ imports: [AuditModule, RegistrationNumbersModule], providers: [EventWriter], exports: [EventWriter] })
export class WriterModule {}
