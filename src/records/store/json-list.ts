import type { Sql } from '../../sql/sql.js';
import { sql } from '../../sql/sql.js';

const SEPARATOR = '\u001e';

/**
 * A list of JSON texts as one text. JSON has no control character but in an escape, so that nothing in it needs one
 * here, as it would for the quotes of an array's spelling.
 */
export const jsonList = (texts: readonly string[]): Sql =>
  sql`string_to_array(${texts.join(SEPARATOR)}::text, ${SEPARATOR}::text)`;
