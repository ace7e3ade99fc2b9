import type { SchemaObject } from '@nestjs/swagger';

/** Text that Postgres can hold: the pattern is read with the `u` flag, so that it refuses unpaired surrogates alone. */
export const TEXT_SCHEMA: SchemaObject = { type: 'string', pattern: '^[^\\u0000\\uD800-\\uDFFF]*$' };
