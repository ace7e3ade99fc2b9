import { Module } from '@nestjs/common';

import { AuditModule } from '../audit/audit.module.js';
import { SearchModule } from '../search/search.module.js';
import { FilesModule } from './files.module.js';
import { UploadUpkeep } from './upload-upkeep.js';
import { AttachmentsController } from './upload/attachments.controller.js';
import { Attachments } from './upload/attachments.service.js';
import { UploadsAtOnce } from './upload/uploads-at-once.js';

/** The routes of attachments, and the removal of those that no record names. */
@Module({
  imports: [AuditModule, FilesModule, SearchModule],
  providers: [Attachments, UploadsAtOnce, UploadUpkeep],
  controllers: [AttachmentsController],
})
export class FileRoutesModule {}
