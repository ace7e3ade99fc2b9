import type { SortValues } from '../../../domain/search-request.js';
import { Sql, sql } from '../../../sql/sql.js';
import type { OrderKey } from './order.js';

/**
 * A row's values in the order of `keys`, as a JSON list of texts and nulls that `compileAfter` takes back exactly: instants
 * to the microsecond, numbers to the last digit, and all of it whatever the session's settings are. As a text, since of a
 * whole page no more than one row's list is ever read.
 */
export const compileSortValues = (keys: readonly OrderKey[]): Sql =>
  sql`json_build_array(${Sql.join(keys.map(asText), ', ')})::text`;

/** The values as a statement yields them. */
export const readSortValues = (json: string): SortValues => JSON.parse(json) as SortValues;

/** JSON knows one way to write an instant, and only one. */
const asText = ({ column, type }: OrderKey): Sql =>
  type === 'timestamptz' || type === 'date' ? sql`to_jsonb(${column}) #>> '{}'` : sql`(${column})::text`;
