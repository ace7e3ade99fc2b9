import { SetMetadata } from '@nestjs/common';
import { KIB } from '../../kernel/domain/bytes.js';

/** Parsed into `request.body`, or left as a stream for the route. */
export type BodyKind = 'json' | 'form' | 'ndjson-stream' | 'multipart-stream';

/** Synonyms for NDJSON (S-15); answers have the first. */
export const NDJSON_TYPES = ['application/x-ndjson', 'application/ndjson', 'application/jsonl'] as const;

export interface BodyRule {
  readonly kinds: readonly BodyKind[];
  /** The configured limit (G-6), or bytes for routes that need less than `BODY_LIMIT_BYTES`. */
  readonly limit: 'BODY_LIMIT_BYTES' | 'IMPORT_LIMIT_BYTES' | 'ATTACHMENT_LIMIT_BYTES' | number;
}

/** The form's bytes besides the attached file. */
export const FORM_BYTES = 64 * KIB;

/** The minimum pace of an awaited streamed body. */
export const SENDING_PACE = { leastBytesPerSecond: 16_000, overSeconds: 60 } as const;

export const BODY_RULE = 'matricula:body-rule';

/** Default: JSON up to `BODY_LIMIT_BYTES`. Other bodies get a 415 (G-6). */
export const Accepts = (kinds: readonly BodyKind[], limit: BodyRule['limit']): MethodDecorator =>
  SetMetadata<string, BodyRule>(BODY_RULE, { kinds, limit });
