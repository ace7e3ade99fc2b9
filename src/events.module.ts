import { Module } from '@nestjs/common';

import { AuditModule } from './audit/audit.module.js';
import { BulkImportController } from './intake/import/bulk-import.controller.js';
import { ImportAdmission } from './intake/import/import-admission.js';
import { OperationsModule } from './intake/operations/operations.module.js';
import { TriggerModule } from './intake/trigger/trigger.module.js';
import { EventTypesController } from './records/event-types.controller.js';
import { SearchRoutesModule } from './search/search-routes.module.js';
import { RecordFilterModule } from './webhooks/record-filter/record-filter.module.js';

/** Records, their search, and what comes in from triggers. */
@Module({
  imports: [AuditModule, SearchRoutesModule, TriggerModule, OperationsModule, RecordFilterModule],
  controllers: [BulkImportController, EventTypesController],
  providers: [ImportAdmission],
})
export class EventsModule {}
