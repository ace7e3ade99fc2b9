import { Global, Module } from '@nestjs/common';

import { LocationsModule } from '../../locations/locations.module.js';
import { RecordFilter } from './record-filter.js';
import { SearchRecordFilter } from './search-record-filter.js';

/** What webhooks need from records, but do not import. */
@Global()
@Module({
  imports: [LocationsModule],
  providers: [{ provide: RecordFilter, useClass: SearchRecordFilter }],
  exports: [RecordFilter],
})
export class RecordFilterModule {}
