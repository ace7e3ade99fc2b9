import type { SchemaObject } from '@nestjs/swagger';

/**
 * PostgreSQL can store neither NUL nor half of a surrogate pair. Patterns in Rust, for example, cannot name surrogates,
 * so characters beyond U+FFFF are expressed by negation.
 */
export const TEXT_CHARACTER = String.raw`(?:[\x01-\uD7FF\uE000-\uFFFF]|[^\x00-\uFFFF])`;

/** JavaScript reads the pattern with the flag `u`. */
export const TEXT_SCHEMA: SchemaObject = { type: 'string', pattern: `^${TEXT_CHARACTER}*$` };

export const oneOf = (texts: readonly string[]): SchemaObject => ({ type: 'string', enum: [...texts] });
