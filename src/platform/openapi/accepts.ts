import { SetMetadata } from '@nestjs/common';

import { KIB } from '../../kernel/domain/bytes.js';

/**
 * How the body of a route is read: parsed from JSON or a form into `request.body`, or left as a stream for the route.
 */
export type BodyKind = 'json' | 'form' | 'ndjson-stream' | 'multipart-stream';

/** The media types of NDJSON, which are one (S-15); answers have the first. */
export const NDJSON_TYPES = ['application/x-ndjson', 'application/ndjson', 'application/jsonl'] as const;

/** The body rule of a route: its kinds, and the maximum number of bytes. */
export interface BodyRule {
  readonly kinds: readonly BodyKind[];
  /** Which configured limit applies (G-6), or a number of bytes for routes that need less than `BODY_LIMIT_BYTES`. */
  readonly limit: 'BODY_LIMIT_BYTES' | 'IMPORT_LIMIT_BYTES' | 'ATTACHMENT_LIMIT_BYTES' | number;
}

/** What a form with an attachment may have beside the bytes of the file itself. */
export const FORM_BYTES = 64 * KIB;

/** The minimum pace of a streamed body, while it is waited for. */
export const SENDING_PACE = { leastBytesPerSecond: 16_000, overSeconds: 60 } as const;

/** Metadata key of a `BodyRule`, read by `BodyGuard`. */
export const BODY_RULE = 'matricula:body-rule';

/**
 * Declares which bodies a route accepts; without it, JSON up to `BODY_LIMIT_BYTES`. Others are answered with 415 (G-6).
 */
export const Accepts = (kinds: readonly BodyKind[], limit: BodyRule['limit']): MethodDecorator =>
  SetMetadata<string, BodyRule>(BODY_RULE, { kinds, limit });
