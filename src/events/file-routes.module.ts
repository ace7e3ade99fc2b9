import { Module } from '@nestjs/common';

import { AuditModule } from '../platform/audit.module.js';
import { AuthModule } from '../auth/auth.module.js';
import { SearchModule } from './search.module.js';
import { FileAddresses } from './files/file-addresses.js';
import { FilesController } from './files/files.controller.js';
import { ServedFiles } from './files/served-files.js';
import { SignedAddress } from './files/signed-address.js';
import { FilesModule } from './files.module.js';
import { UploadUpkeep } from './files/upload-upkeep.js';
import { AttachmentsController } from './files/attachments.controller.js';
import { Attachments } from './files/attachments.service.js';
import { UploadsAtOnce } from './files/uploads-at-once.js';

/** The routes of attachments, and the removal of those that no record names. */
@Module({
  imports: [AuditModule, AuthModule, FilesModule, SearchModule],
  providers: [Attachments, FileAddresses, ServedFiles, SignedAddress, UploadsAtOnce, UploadUpkeep],
  controllers: [AttachmentsController, FilesController],
  exports: [FileAddresses],
})
export class FileRoutesModule {}
