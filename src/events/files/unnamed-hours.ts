import { type Sql, sql } from '../../kernel/sql/sql.js';

/** Age at which unnamed uploads are deleted (F-2). */
export const UNNAMED_HOURS = 24;

/**
 * Condition on `upload`: named, or still nameable. Older files may be gone even if a restored or promoted database does
 * not know.
 */
export const IS_LASTING: Sql = sql`
  (named_by is not null or created_at > now() - make_interval(hours => ${UNNAMED_HOURS}::int))`;
