import type { Sql } from '../../../kernel/sql/sql.js';
import type { Order } from './order.js';

export interface Page {
  readonly order: Order;
  readonly limit: number;
  readonly offset: number;
  /** True for rows after a cursor, over the columns of `order` (S-15). */
  readonly after?: Sql;
  /** For a page that is not held whole: the record's id in place of each `body`. */
  readonly idsAlone?: boolean;
  /** In bytes, for a page that is held whole: a record with a longer stored text has an empty body. */
  readonly longest?: number;
  /** The body that is sent, over `s` and `d`; undefined: the stored one. */
  readonly shown?: Sql | undefined;
}
