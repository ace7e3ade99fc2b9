import type { Sql } from '../../sql/sql.js';
import type { Order } from './order/order.js';

/** Which of the matches are asked for, in which order. */
export interface Page {
  readonly order: Order;
  readonly limit: number;
  readonly offset: number;
  /** What holds for rows that come after a cursor, over the columns of `order` (S-15). */
  readonly after?: Sql;
  /** For a page that is not held whole: in place of each `body` the record's id. */
  readonly idsAlone?: boolean;
}
