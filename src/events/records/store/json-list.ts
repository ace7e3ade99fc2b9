import { type Sql, sql } from '../../../kernel/sql/sql.js';

const SEPARATOR = '\u001e';

/**
 * JSON texts joined by a control character, which JSON escapes. Unlike array notation, this needs no escaping of
 * quotes.
 */
export const jsonList = (texts: readonly string[]): Sql =>
  sql`string_to_array(${texts.join(SEPARATOR)}::text, ${SEPARATOR}::text)`;
