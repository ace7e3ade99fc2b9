import { type Sql, sql } from '../../../kernel/sql/sql.js';

const SEPARATOR = '\u001e';

/** Joined by a control character, which JSON escapes; array notation would need escaped quotes. */
export const jsonList = (texts: readonly string[]): Sql =>
  sql`string_to_array(${texts.join(SEPARATOR)}::text, ${SEPARATOR}::text)`;
