import type { Sql } from '../../../kernel/sql/sql.js';
import type { Order } from './order.js';

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
