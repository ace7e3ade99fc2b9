import type { Config } from '../../platform/config/config.js';
import { DiskStore } from './disk-store.js';
import type { FileStore } from './file-store.js';
import type { S3Settings } from './s3-store.js';

/** S3 if a bucket is configured (F-2), otherwise the disk. Loads the S3 client only when used. */
export async function createFileStore(config: S3Settings & Pick<Config, 'DATA_DIR'>): Promise<FileStore> {
  if (config.S3_BUCKET === undefined) return new DiskStore(config.DATA_DIR);
  const { S3Store } = await import('./s3-store.js');
  return new S3Store(config);
}
