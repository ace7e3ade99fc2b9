import { Module } from '@nestjs/common';

import { SearchModule } from '../../search/search.module.js';
import { OperationsModule } from '../operations/operations.module.js';
import { WriterModule } from '../writer/writer.module.js';
import { IncomingConfirmations } from './incoming/incoming-confirmations.js';
import { IncomingConfirmationsController } from './incoming/incoming-confirmations.controller.js';
import { ConfirmationLogModule } from './log/confirmation-log.module.js';
import { ConfirmationsController } from './log/confirmations.controller.js';

/** The routes by which system clients confirm actions, and administrators watch what is confirmed. */
@Module({
  imports: [ConfirmationLogModule, SearchModule, WriterModule, OperationsModule],
  controllers: [IncomingConfirmationsController, ConfirmationsController],
  providers: [IncomingConfirmations],
  exports: [IncomingConfirmations],
})
export class ConfirmationRoutesModule {}
