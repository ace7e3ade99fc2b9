import type { ApiResponseOptions } from '@nestjs/swagger';

/** The header of an answer that a client may keep, as the document of OpenAPI declares it. */
export const ETAG = {
  ETag: { description: 'For `If-None-Match`', schema: { type: 'string' } },
} as const satisfies ApiResponseOptions['headers'];

/** What is answered instead to a client that has it already. */
export const NOT_MODIFIED: ApiResponseOptions = {
  status: 304,
  description: 'What `If-None-Match` names is still right',
  headers: ETAG,
};

/** Whether an `If-None-Match` names the tag; by weak comparison, as RFC 9110 13.1.2 asks. */
export const namesEtag = (header: string | undefined, etag: string): boolean =>
  header !== undefined &&
  header.split(',').some((tag) => tag.trim() === '*' || tag.trim().replace(/^W\//, '') === etag);
