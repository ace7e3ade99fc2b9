import { Module } from '@nestjs/common';

import { BulkImportController } from './records/bulk-import.controller.js';
import { ImportAdmission } from './records/import-admission.js';
import { SearchModule } from './search/search.module.js';
import { TriggerModule } from './trigger/trigger.module.js';
import { RecordFilterModule } from './webhooks/record-filter.module.js';

/** Records, their search, and what comes in from triggers. */
@Module({
  imports: [SearchModule, TriggerModule, RecordFilterModule],
  controllers: [BulkImportController],
  providers: [ImportAdmission],
  exports: [SearchModule],
})
export class EventsModule {}
