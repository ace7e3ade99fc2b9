import type { Config } from '../../../platform/config/config.js';
import { DiskStore } from './disk-store.js';
import type { FileStore } from './file-store.js';
import type { S3Settings } from './s3-store.js';

/** The configured store (F-2): S3 if there is a bucket. Its client is loaded by those alone who use it. */
export async function createFileStore(config: S3Settings & Pick<Config, 'DATA_DIR'>): Promise<FileStore> {
  if (config.S3_BUCKET === undefined) return new DiskStore(config.DATA_DIR);
  const { S3Store } = await import('./s3-store.js');
  return new S3Store(config);
}
