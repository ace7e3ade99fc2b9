import { Module } from '@nestjs/common';

import { AuditModule } from '../audit/audit.module.js';
import { AuthModule } from '../auth/auth.module.js';
import { SearchModule } from '../search/search.module.js';
import { FileAddresses } from './addresses/file-addresses.js';
import { FilesController } from './addresses/files.controller.js';
import { ServedFiles } from './addresses/served-files.js';
import { SignedAddress } from './addresses/signed-address.js';
import { FilesModule } from './files.module.js';
import { UploadUpkeep } from './upload-upkeep.js';
import { AttachmentsController } from './upload/attachments.controller.js';
import { Attachments } from './upload/attachments.service.js';
import { UploadsAtOnce } from './upload/uploads-at-once.js';

/** The routes of attachments, and the removal of those that no record names. */
@Module({
  imports: [AuditModule, AuthModule, FilesModule, SearchModule],
  providers: [Attachments, FileAddresses, ServedFiles, SignedAddress, UploadsAtOnce, UploadUpkeep],
  controllers: [AttachmentsController, FilesController],
  exports: [FileAddresses],
})
export class FileRoutesModule {}
