import { Module } from '@nestjs/common';

import { AuditModule } from '../platform/audit.module.js';
import { BulkImportController } from './import/bulk-import.controller.js';
import { ImportAdmission } from './import/import-admission.js';
import { OperationsModule } from './operations.module.js';
import { TriggerModule } from './trigger.module.js';
import { EventTypesController } from './records/event-types.controller.js';
import { SearchRoutesModule } from './search-routes.module.js';
import { RecordFilterModule } from '../webhooks/record-filter.module.js';

/** Records, their search, and what comes in from triggers. */
@Module({
  imports: [AuditModule, SearchRoutesModule, TriggerModule, OperationsModule, RecordFilterModule],
  controllers: [BulkImportController, EventTypesController],
  providers: [ImportAdmission],
})
export class EventsModule {}
