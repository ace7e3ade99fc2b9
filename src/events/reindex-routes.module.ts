import { Module } from '@nestjs/common';

import { AuditModule } from '../platform/audit.module.js';
import { ReindexController } from './reindex/reindex.controller.js';
import { ReindexProcess } from './reindex/reindex-process.js';
import { ReindexRuns } from './reindex/reindex-runs.js';

/** Starting and listing runs of a reindex (I-5). Needs the global `DatabaseModule`. */
@Module({
  imports: [AuditModule],
  controllers: [ReindexController],
  providers: [ReindexProcess, ReindexRuns],
})
export class ReindexRoutesModule {}
