import { Module } from '@nestjs/common';

import { WriterModule } from './writer.module.js';
import { TriggerController } from './operations/trigger.controller.js';
import { TriggerService } from './operations/trigger.service.js';

/** The trigger feed. Publishes what it accepts if there is a global `Publisher`. */
@Module({
  imports: [WriterModule],
  providers: [TriggerService],
  controllers: [TriggerController],
  exports: [TriggerService],
})
export class TriggerModule {}
