import type { RecordColumn } from '../../../kernel/domain/record-columns.js';
import { Sql, sql } from '../../../kernel/sql/sql.js';

/** One sort key. Text is ordered by code point, everything else by value. */
export interface OrderKey {
  /** A column of `event_search`, or one of the order's own `columns`, unqualified. */
  readonly column: Sql;
  readonly type: 'text' | 'uuid' | 'date' | 'timestamptz' | 'numeric' | 'bigint';
  readonly direction: 'asc' | 'desc';
  /** Rows without a value come last in both directions (S-12). */
  readonly nullable: boolean;
}

/** A total order: the last key is the row's `id`. */
export interface Order {
  /** What must be selected from `event_search s` to sort its rows. */
  readonly columns: readonly Sql[];
  readonly keys: readonly OrderKey[];
  /** `keys`, as they follow `order by`. */
  readonly by: Sql;
  /** A row's values of `keys`, as one text: `compileSortValues`. */
  readonly values: Sql;
  /**
   * The column of the first key, if its index has the rows in this order, except for ties; all keys are columns then.
   */
  readonly index?: RecordColumn;
}

/** Whether an index has all that this order needs, and the `seq` of each record: no row is read to follow it. */
export const isCovered = ({ index, columns }: Order): boolean => index === 'updated_at' && columns.length === 2;

/** Whether it is such an order from the record that was updated last on, as the usual one. */
export const isNewestFirst = (order: Order): boolean => isCovered(order) && order.keys[0]?.direction === 'desc';

/** The key in the form in which it is compared. */
export const comparable = ({ column, type }: OrderKey): Sql => (type === 'text' ? sql`${column} collate "C"` : column);

/**
 * The list after `order by`. An index cannot serve `nulls last` on a column that is never null, so it is written only
 * where it matters.
 */
export const orderBy = (keys: readonly OrderKey[]): Sql => Sql.join(keys.map(orderByKey), ', ');

function orderByKey(key: OrderKey): Sql {
  if (key.direction === 'asc') return comparable(key);
  return key.nullable ? sql`${comparable(key)} desc nulls last` : sql`${comparable(key)} desc`;
}
