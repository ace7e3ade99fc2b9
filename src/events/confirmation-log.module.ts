import { Module } from '@nestjs/common';

import { AuditModule } from '../platform/audit.module.js';
import { ConfirmationLog } from './confirmation/confirmation-log.js';

/** The log of requested actions, for routes and the command line. Needs the global `ConfirmationOutboxModule`. */
@Module({ imports: [AuditModule], providers: [ConfirmationLog], exports: [ConfirmationLog] })
export class ConfirmationLogModule {}
