import { Module } from '@nestjs/common';

import { AuditUpkeep } from './audit/audit-upkeep.js';

/** For the service: a command leaves partitions as they are. Needs the global `DatabaseModule`. */
@Module({ providers: [AuditUpkeep] })
export class AuditUpkeepModule {}
