import type { RecordColumn } from '../../../kernel/domain/record-columns.js';
import { Sql, sql } from '../../../kernel/sql/sql.js';

/** Text is ordered by code point. */
export interface OrderKey {
  /** A column of `event_search` or of `columns`, unqualified. */
  readonly column: Sql;
  readonly type: 'text' | 'uuid' | 'date' | 'timestamptz' | 'numeric' | 'bigint';
  readonly direction: 'asc' | 'desc';
  /** Rows without a value come last in both directions (S-12). */
  readonly nullable: boolean;
}

/** Total: the last key is the row's `id`. */
export interface Order {
  readonly columns: readonly Sql[];
  readonly keys: readonly OrderKey[];
  readonly by: Sql;
  readonly values: Sql;
  /** The first key's column, if its index has the rows in this order, except for ties; all keys are columns then. */
  readonly index?: RecordColumn;
}

export const comparable = ({ column, type }: OrderKey): Sql => (type === 'text' ? sql`${column} collate "C"` : column);

/** An index cannot serve `nulls last` on a column that is never null. */
export const orderBy = (keys: readonly OrderKey[]): Sql => Sql.join(keys.map(orderByKey), ', ');

function orderByKey(key: OrderKey): Sql {
  if (key.direction === 'asc') return comparable(key);
  return key.nullable ? sql`${comparable(key)} desc nulls last` : sql`${comparable(key)} desc`;
}

export interface Page {
  readonly order: Order;
  readonly limit: number;
  readonly offset: number;
  /** Rows after a cursor, over the columns of `order` (S-15). */
  readonly after?: Sql;
  /** For a streamed page: the record's id in place of each `body`. */
  readonly idsAlone?: boolean;
  /** In bytes: a record with a longer stored text has an empty body. */
  readonly longest?: number;
  /** Over `s` and `d`; undefined: the stored body. */
  readonly shown?: Sql | undefined;
}
