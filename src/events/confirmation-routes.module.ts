import { Module } from '@nestjs/common';

import { SearchModule } from './search.module.js';
import { OperationsModule } from './operations.module.js';
import { WriterModule } from './writer.module.js';
import { IncomingConfirmations } from './confirmation/incoming-confirmations.js';
import { IncomingConfirmationsController } from './confirmation/incoming-confirmations.controller.js';
import { ConfirmationLogModule } from './confirmation-log.module.js';
import { ConfirmationsController } from './confirmation/confirmations.controller.js';

/** The routes by which system clients confirm actions, and administrators watch what is confirmed. */
@Module({
  imports: [ConfirmationLogModule, SearchModule, WriterModule, OperationsModule],
  controllers: [IncomingConfirmationsController, ConfirmationsController],
  providers: [IncomingConfirmations],
  exports: [IncomingConfirmations],
})
export class ConfirmationRoutesModule {}
