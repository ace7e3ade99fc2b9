import type { ApiResponseOptions } from '@nestjs/swagger';

export const ETAG = {
  ETag: { description: 'For `If-None-Match`', schema: { type: 'string' } },
} as const satisfies ApiResponseOptions['headers'];

export const NOT_MODIFIED: ApiResponseOptions = {
  status: 304,
  description: 'What `If-None-Match` names is still right',
  headers: ETAG,
};

/** Weak comparison (RFC 9110 13.1.2). */
export const namesEtag = (header: string | undefined, etag: string): boolean =>
  header !== undefined &&
  header.split(',').some((tag) => tag.trim() === '*' || tag.trim().replace(/^W\//, '') === etag);
