import { Module } from '@nestjs/common';

import { WriterModule } from '../writer/writer.module.js';
import { TriggerController } from './trigger.controller.js';
import { TriggerService } from './trigger.service.js';

/** The trigger feed. Publishes what it accepts if there is a global `Publisher`. */
@Module({
  imports: [WriterModule],
  providers: [TriggerService],
  controllers: [TriggerController],
  exports: [TriggerService],
})
export class TriggerModule {}
