import type { SchemaObject } from '@nestjs/swagger';

/** Text that Postgres can store: the pattern is read with the `u` flag, so that it refuses only unpaired surrogates. */
export const TEXT_SCHEMA: SchemaObject = { type: 'string', pattern: '^[^\\u0000\\uD800-\\uDFFF]*$' };
