import { SetMetadata } from '@nestjs/common';

/**
 * How the body of a route is read: parsed from JSON or a form into `request.body`, or left as a stream for the route.
 */
export type BodyKind = 'json' | 'form' | 'ndjson-stream';

/** What a route says of its body: its kinds, and how many bytes it may have. */
export interface BodyRule {
  readonly kinds: readonly BodyKind[];
  /**
   * Which configured limit applies (G-6), or the bytes that are enough for this route where they are fewer than
   * `BODY_LIMIT_BYTES`.
   */
  readonly limit: 'BODY_LIMIT_BYTES' | 'IMPORT_LIMIT_BYTES' | number;
}

/** Metadata key of a `BodyRule`, read by `BodyGuard`. */
export const BODY_RULE = 'matricula:body-rule';

/** States which bodies a route takes; JSON up to `BODY_LIMIT_BYTES` without it. Others are answered 415 (G-6). */
export const Accepts = (kinds: readonly BodyKind[], limit: BodyRule['limit'] = 'BODY_LIMIT_BYTES'): MethodDecorator =>
  SetMetadata<string, BodyRule>(BODY_RULE, { kinds, limit });
