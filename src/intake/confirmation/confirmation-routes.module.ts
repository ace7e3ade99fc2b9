import { Module } from '@nestjs/common';

import { AuditModule } from '../../audit/audit.module.js';
import { SearchModule } from '../../search/search.module.js';
import { OperationsModule } from '../operations/operations.module.js';
import { WriterModule } from '../writer/writer.module.js';
import { IncomingConfirmations } from './incoming/incoming-confirmations.js';
import { IncomingConfirmationsController } from './incoming/incoming-confirmations.controller.js';
import { ConfirmationLog } from './log/confirmation-log.js';
import { ConfirmationsController } from './log/confirmations.controller.js';

/** The routes by which system clients confirm actions, and administrators watch what is confirmed. */
@Module({
  imports: [AuditModule, SearchModule, WriterModule, OperationsModule],
  controllers: [IncomingConfirmationsController, ConfirmationsController],
  providers: [IncomingConfirmations, ConfirmationLog],
})
export class ConfirmationRoutesModule {}
