import type { SchemaObject } from '@nestjs/swagger';

/**
 * A character that PostgreSQL can store: neither NUL nor half of a surrogate pair. In languages whose texts are not
 * lists of code units, such as Rust, a pattern that names surrogates is invalid, so what lies beyond U+FFFF is
 * expressed by negation.
 */
export const TEXT_CHARACTER = String.raw`(?:[\x01-\uD7FF\uE000-\uFFFF]|[^\x00-\uFFFF])`;

/** Text that PostgreSQL can store. JavaScript reads the pattern with the flag `u`. */
export const TEXT_SCHEMA: SchemaObject = { type: 'string', pattern: `^${TEXT_CHARACTER}*$` };

export const oneOf = (texts: readonly string[]): SchemaObject => ({ type: 'string', enum: [...texts] });
