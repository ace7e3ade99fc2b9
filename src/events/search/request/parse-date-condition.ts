import { parseCalendarDate, parseDateTime } from '../../../kernel/domain/calendar.js';
import type {
  Condition,
  DateCondition,
  DateTerm,
  InstantField,
  TimePeriodDays,
} from '../../../kernel/domain/search-request.js';
import { absurd } from '../../../kernel/errors/service-error.js';
import { given, type Input } from '../../../kernel/input/input.js';
import { conditionType } from './condition-type.js';
import { isPast } from './interval-of-term.js';

export const TIME_PERIODS = ['last7Days', 'last30Days', 'last90Days', 'last365Days'] as const;

const DAYS: Readonly<Record<(typeof TIME_PERIODS)[number], TimePeriodDays>> = {
  last7Days: 7,
  last30Days: 30,
  last90Days: 90,
  last365Days: 365,
};

/** S-8. */
export const instantCondition =
  (field: InstantField) =>
  (input: Input): Condition | null =>
    given(parseDateCondition(input), (condition) => ({ on: 'instant', field, condition }));

function parseDateCondition(input: Input): DateCondition | null {
  const type = conditionType(input, ['exact', 'range', 'timePeriod']);
  switch (type) {
    case 'exact':
      return given(parseDateTerm(input.member('term')), (term) => ({ type, term }));
    case 'range':
      return parseDateRange(input);
    case 'timePeriod':
      return given(input.member('term').oneOf(TIME_PERIODS), (term) => ({ type, days: DAYS[term] }));
    case null:
      return null;
    default:
      return absurd(type);
  }
}

function parseDateRange(input: Input): DateCondition | null {
  const gte = parseDateTerm(input.member('gte'));
  const lte = parseDateTerm(input.member('lte'));
  if (gte === null || lte === null) return null;
  return isPast(gte, lte, input.notes.timezone)
    ? input.refuse('`gte` must not be after `lte`')
    : { type: 'range', gte, lte };
}

function parseDateTerm(input: Input): DateTerm | null {
  const date = parseCalendarDate(input.value);
  if (date !== undefined) return { kind: 'date', date };
  const dateTime = parseDateTime(input.value);
  if (dateTime !== undefined) return { kind: 'dateTime', ...dateTime };
  return input.refuse('must be a real date such as `2026-01-31`, or a date-time in UTC such as `2026-01-31T08:30:00Z`');
}
