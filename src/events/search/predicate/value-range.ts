import { numberOf } from '../../index/values/number-of.js';
import { type CalendarDate, parseCalendarDate, parseDateTime } from '../../../kernel/domain/calendar.js';
import { cleanText } from '../../../kernel/domain/text.js';

/** Inclusive. */
export interface Bounds<T> {
  readonly gte: T;
  readonly lte: T;
}

/** S-10. */
export interface ValueRange {
  readonly text: Bounds<string>;
  /** Undefined when a bound is not a number. */
  readonly number: Bounds<number> | undefined;
  /** Undefined when a bound is not a date, or no day lies between. */
  readonly date: Bounds<CalendarDate> | undefined;
}

export function readValueRange(from: string, to: string): ValueRange {
  const [gte, lte] = [cleanText(from), cleanText(to)];
  return {
    text: { gte, lte },
    number: boundsOf(numberOf(gte), numberOf(lte)),
    date: boundsOf(dateOf(gte), dateOf(lte)),
  };
}

const boundsOf = <T extends number | string>(gte: T | undefined, lte: T | undefined): Bounds<T> | undefined =>
  gte === undefined || lte === undefined || gte > lte ? undefined : { gte, lte };

/** A date, or the day in UTC of a date-time. */
const dateOf = (bound: string): CalendarDate | undefined =>
  parseCalendarDate(bound) ?? parseCalendarDate(parseDateTime(bound)?.instant.slice(0, 10));
