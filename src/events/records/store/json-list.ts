import { type Sql, sql } from '../../../kernel/sql/sql.js';

const SEPARATOR = '\u001e';

/**
 * A list of JSON texts, or of lines of them, as one text. In JSON, control characters occur only escaped, so nothing in
 * it needs escaping here, unlike the quotes in array notation.
 */
export const jsonList = (texts: readonly string[]): Sql =>
  sql`string_to_array(${texts.join(SEPARATOR)}::text, ${SEPARATOR}::text)`;
