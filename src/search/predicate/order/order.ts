import type { RecordColumn } from '../../../domain/record-columns.js';
import { Sql, sql } from '../../../sql/sql.js';

/** One thing that rows are ordered by. Text is ordered by code point, everything else by value. */
export interface OrderKey {
  /** A column of `event_search`, or one of an order's own `columns`, unqualified. */
  readonly column: Sql;
  readonly type: 'text' | 'uuid' | 'date' | 'timestamptz' | 'numeric' | 'bigint';
  readonly direction: 'asc' | 'desc';
  /** Rows without a value come last in both directions (S-12). */
  readonly nullable: boolean;
}

/** A total order: the last key is the row's `id`. */
export interface Order {
  /** What must be selected from `event_search s` so that its rows can be put into the order. */
  readonly columns: readonly Sql[];
  readonly keys: readonly OrderKey[];
  /** The column, of the first key, whose index has the rows in this order but for ties. */
  readonly index?: RecordColumn;
}

/** The key as it is compared. */
export const comparable = ({ column, type }: OrderKey): Sql => (type === 'text' ? sql`${column} collate "C"` : column);

/**
 * What follows `order by`. An index has no use for `nulls last` on a column that is never null, so it stands only where
 * it says something.
 */
export const orderBy = (keys: readonly OrderKey[]): Sql => Sql.join(keys.map(orderByKey), ', ');

function orderByKey(key: OrderKey): Sql {
  if (key.direction === 'asc') return comparable(key);
  return key.nullable ? sql`${comparable(key)} desc nulls last` : sql`${comparable(key)} desc`;
}
