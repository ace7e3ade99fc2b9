import { Module } from '@nestjs/common';
import { AuditModule } from '../platform/audit.module.js';
import { type Config, CONFIG } from '../platform/config/config.js';
import { createFileStore } from './files/store/create-file-store.js';
import { FileStore } from './files/store/file-store.js';
import { UploadRemoval } from './files/upload-removal.js';
import { Uploads } from './files/uploads.js';

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
