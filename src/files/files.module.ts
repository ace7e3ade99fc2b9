import { Module } from '@nestjs/common';

import { AuditModule } from '../audit/audit.module.js';
import type { Config } from '../config/config.js';
import { CONFIG } from '../config/config.js';
import { createFileStore } from './store/create-file-store.js';
import { FileStore } from './store/file-store.js';
import { UploadRemoval } from './upload-removal.js';
import { Uploads } from './uploads.js';

/** Attachments and where they are kept, for every module. Needs the global `DatabaseModule` and a global `CONFIG`. */
@Module({
  imports: [AuditModule],
  providers: [
    { provide: FileStore, useFactory: (config: Config) => createFileStore(config), inject: [CONFIG] },
    Uploads,
    UploadRemoval,
  ],
  exports: [FileStore, Uploads, UploadRemoval],
})
export class FilesModule {}
