import { Module } from '@nestjs/common';

import { BulkImportController } from './records/bulk-import.controller.js';
import { SearchModule } from './search/search.module.js';

/** Records and their search. */
@Module({ imports: [SearchModule], controllers: [BulkImportController], exports: [SearchModule] })
export class EventsModule {}
