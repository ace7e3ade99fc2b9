import { type Sql, sql } from '../../kernel/sql/sql.js';

/** Hours after which an upload that no record names is deleted (F-2). */
export const UNNAMED_HOURS = 24;

/**
 * A condition on `upload`: an event names it, or may name it still. The file of an older one may be gone, also where
 * the database does not know: one that was restored, or a standby that was promoted, goes back to before its removal.
 */
export const IS_LASTING: Sql = sql`
  (named_by is not null or created_at > now() - make_interval(hours => ${UNNAMED_HOURS}::int))`;
