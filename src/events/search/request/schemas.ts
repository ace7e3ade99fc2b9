import type { ReferenceObject, SchemaObject } from '@nestjs/swagger';

export const schemaRef = (name: string): ReferenceObject => ({ $ref: `#/components/schemas/${name}` });

/**
 * PostgreSQL can store neither NUL nor half of a surrogate pair. Patterns in Rust, for example, cannot name surrogates,
 * so characters beyond U+FFFF are expressed by negation.
 */
export const TEXT_CHARACTER = String.raw`(?:[\x01-\uD7FF\uE000-\uFFFF]|[^\x00-\uFFFF])`;

/** JavaScript reads the pattern with the flag `u`. */
export const TEXT_SCHEMA: SchemaObject = { type: 'string', pattern: `^${TEXT_CHARACTER}*$` };

export const oneOf = (texts: readonly string[]): SchemaObject => ({ type: 'string', enum: [...texts] });

/** S-4; the configuration limits `limit`, the gateway the size of the body (G-6). */
export const MAX_QUERY_LEVELS = 16;
/** On all levels together. */
export const MAX_CLAUSES = 500;
export const MAX_DATA_LEVELS = 16;
/** For all maps together: one clause could hold a body full of conditions. */
export const MAX_DATA_KEYS = 2_000;
export const MAX_FIELD_ID_CODE_POINTS = 256;
/** For one `anyOf`. */
export const MAX_TERMS = 1_000;
export const MAX_FUZZY_CODE_POINTS = 256;
export const MAX_SORT_KEYS = 20;
/** `maxLimit` is `SEARCH_MAX_LIMIT`. */
export const defaultLimit = (maxLimit: number): number => Math.min(100, maxLimit);
