import type { SchemaObject } from '@nestjs/swagger';

/**
 * A character that Postgres can store, as a part of patterns: neither NUL nor half of a surrogate pair. Generators and
 * validators in other languages read the document too, and where texts are no lists of code units, such as in Rust, a
 * pattern that names surrogates is none; what lies beyond U+FFFF is therefore said by what it is not.
 */
export const TEXT_CHARACTER = String.raw`(?:[\x01-\uD7FF\uE000-\uFFFF]|[^\x00-\uFFFF])`;

/** Text that Postgres can store. JavaScript reads the pattern with the flag `u`. */
export const TEXT_SCHEMA: SchemaObject = { type: 'string', pattern: `^${TEXT_CHARACTER}*$` };

/** One of these texts. */
export const oneOf = (texts: readonly string[]): SchemaObject => ({ type: 'string', enum: [...texts] });
