import { ATTACHMENT_TYPES } from '../../kernel/domain/attachment-type.js';
import { GIB, KIB, MIB } from '../../kernel/domain/bytes.js';
import { baseUrl, list, optional, secret, text, whole } from './variable.js';

/** Attachments and their store (F-1 to F-3). */
export const FILE_VARIABLES = {
  ATTACHMENT_LIMIT_BYTES: whole('largest attachment in bytes; it is read as a stream', 10 * MIB, KIB, GIB),
  UNNAMED_UPLOAD_BYTES: whole(
    'largest total in bytes of the attachments of one caller that no record names yet; past it uploads are refused',
    GIB,
    1,
    Number.MAX_SAFE_INTEGER,
  ),
  ATTACHMENT_TYPES: list(
    'media types of attachments, by their content, between commas',
    ATTACHMENT_TYPES.join(','),
    `some of ${ATTACHMENT_TYPES.join(', ')} between commas`,
    (item) => ATTACHMENT_TYPES.some((type) => type === item),
  ),
  PRESIGNED_URL_SECONDS: whole('seconds for which the address of a file is good', 300, 1, 604_800),
  S3_BUCKET: optional(text('S3 bucket of attachments; absent: files under DATA_DIR', '')),
  S3_ENDPOINT: baseUrl('S3 service other than Amazon’s; absent: Amazon’s in S3_REGION', ['http:', 'https:']),
  S3_PUBLIC_ENDPOINT: baseUrl('the same as clients reach it, for addresses of files; absent: S3_ENDPOINT', [
    'http:',
    'https:',
  ]),
  S3_REGION: text('region of the bucket', 'us-east-1'),
  S3_ACCESS_KEY_ID: secret(
    'key for the bucket; absent: the role of the machine or container',
    'any text',
    (value) => value !== '',
  ),
  S3_SECRET_ACCESS_KEY: secret('secret of S3_ACCESS_KEY_ID', 'any text', (value) => value !== ''),
};
