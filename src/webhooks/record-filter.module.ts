import { Global, Module } from '@nestjs/common';

import { AuthModule } from '../auth/auth.module.js';
import { RecordFilter } from './subscriptions/record-filter.js';
import { SearchRecordFilter } from './subscriptions/search-record-filter.js';

/** Webhooks need this of records, but do not import it. */
@Global()
@Module({
  imports: [AuthModule],
  providers: [{ provide: RecordFilter, useClass: SearchRecordFilter }],
  exports: [RecordFilter],
})
export class RecordFilterModule {}
