import type { Sql } from '../../../kernel/sql/sql.js';
import type { Order } from './order.js';

/** Which matches are requested, in which order. */
export interface Page {
  readonly order: Order;
  readonly limit: number;
  readonly offset: number;
  /** True for rows that come after a cursor, over the columns of `order` (S-15). */
  readonly after?: Sql;
  /** For a page that is not held whole: the record's id in place of each `body`. */
  readonly idsAlone?: boolean;
  /** For a page that is held whole: the body of a record whose stored text is longer than this is empty. In bytes. */
  readonly longest?: number;
  /** What is sent of a record, over `s` and `d`; undefined: its stored body. */
  readonly shown?: Sql | undefined;
}
