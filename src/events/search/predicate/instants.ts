import { DAY_MS } from '../../../kernel/domain/calendar.js';
import { SEARCHED_FIELDS } from '../../../kernel/domain/searched-fields.js';
import type { DateCondition, InstantField } from '../../../kernel/domain/search-request.js';
import { absurd } from '../../../kernel/errors/service-error.js';
import { sql } from '../../../kernel/sql/sql.js';
import { beforeMsOf, fromMsOf, type Interval } from '../request/interval-of-term.js';
import { type Predicate, rowLeaf, WITHOUT_TERMS } from './predicate.js';
import { ROW_COLUMNS } from './row-columns.js';
import type { SearchContext } from './search-context.js';

/** S-8. */
export function predicateOfInstant(field: InstantField, condition: DateCondition, context: SearchContext): Predicate {
  const { column: name } = SEARCHED_FIELDS[field];
  const column = ROW_COLUMNS[name];
  const { fromMs, beforeMs } = intervalOfCondition(condition, {
    nowMs: context.now.getTime(),
    timezone: context.timezone,
  });
  return rowLeaf({
    condition: sql`(${column} >= ${toTimestamp(fromMs)}::timestamptz and ${column} < ${toTimestamp(beforeMs)}::timestamptz)`,
    ...WITHOUT_TERMS,
    index: 'own',
    cardinality: { by: 'instants', column: name, fromMs, beforeMs },
  });
}

/** A period ends at `nowMs` (S-8). */
export function intervalOfCondition(
  condition: DateCondition,
  { nowMs, timezone }: { readonly nowMs: number; readonly timezone: string },
): Interval {
  switch (condition.type) {
    case 'exact':
      return { fromMs: fromMsOf(condition.term, timezone), beforeMs: beforeMsOf(condition.term, timezone) };
    case 'range':
      return { fromMs: fromMsOf(condition.gte, timezone), beforeMs: beforeMsOf(condition.lte, timezone) };
    case 'timePeriod':
      return { fromMs: nowMs - condition.days * DAY_MS, beforeMs: nowMs + 1 };
    default:
      return absurd(condition);
  }
}

/** Instants of records have four-digit years (`Instant`). */
function toTimestamp(ms: number): string {
  const date = new Date(ms);
  if (date.getUTCFullYear() < 1) return '-infinity';
  return date.getUTCFullYear() > 9999 ? 'infinity' : date.toISOString();
}
