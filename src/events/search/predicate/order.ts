import type { RecordColumn } from '../../../kernel/domain/record-columns.js';
import { Sql, sql } from '../../../kernel/sql/sql.js';

/** Text is ordered by code point, everything else by value. */
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
  /** Selected from `event_search s` to sort its rows. */
  readonly columns: readonly Sql[];
  readonly keys: readonly OrderKey[];
  /** `keys`, as they follow `order by`. */
  readonly by: Sql;
  /** The row's values of `keys`, as one text: see `compileSortValues`. */
  readonly values: Sql;
  /**
   * The column of the first key, if its index has the rows in this order, except for ties; all keys are columns then.
   */
  readonly index?: RecordColumn;
}

/** Whether an index has all that this order needs, and each record's `seq`: no row is read to follow it. */
export const isCovered = ({ index, columns }: Order): boolean => index === 'updated_at' && columns.length === 2;

export const isNewestFirst = (order: Order): boolean => isCovered(order) && order.keys[0]?.direction === 'desc';

export const comparable = ({ column, type }: OrderKey): Sql => (type === 'text' ? sql`${column} collate "C"` : column);

/** An index cannot serve `nulls last` on a column that is never null, so it is written only for nullable keys. */
export const orderBy = (keys: readonly OrderKey[]): Sql => Sql.join(keys.map(orderByKey), ', ');

function orderByKey(key: OrderKey): Sql {
  if (key.direction === 'asc') return comparable(key);
  return key.nullable ? sql`${comparable(key)} desc nulls last` : sql`${comparable(key)} desc`;
}
