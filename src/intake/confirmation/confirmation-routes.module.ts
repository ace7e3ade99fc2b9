import { Module } from '@nestjs/common';

import { AuditModule } from '../../audit/audit.module.js';
import { ConfirmationLog } from './log/confirmation-log.js';
import { ConfirmationsController } from './log/confirmations.controller.js';

/** The routes by which system clients confirm actions, and administrators watch what is confirmed. */
@Module({
  imports: [AuditModule],
  controllers: [ConfirmationsController],
  providers: [ConfirmationLog],
})
export class ConfirmationRoutesModule {}
