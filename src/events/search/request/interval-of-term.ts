import { type CalendarDate, DAY_MS, HOUR_MS } from '../../../kernel/domain/calendar.js';
import type { DateTerm } from '../../../kernel/domain/search-request.js';

/** No zone was ever further from UTC. */
const FURTHEST_OFFSET_MS = 16 * HOUR_MS;

/**
 * The first instant, in milliseconds since the epoch, at which clocks in `timezone` show `date` or a later day. If
 * midnight occurs twice, it is the first.
 */
export const startOfDayMs = (date: CalendarDate, timezone: string): number =>
  whenClocksShow(Date.parse(date), timezone);

export const startOfNextDayMs = (date: CalendarDate, timezone: string): number =>
  whenClocksShow(Date.parse(date) + DAY_MS, timezone);

/** `clockMs` is local time, read as if it were UTC. */
function whenClocksShow(clockMs: number, timezone: string): number {
  const offsetBefore = offsetMs(clockMs - FURTHEST_OFFSET_MS, timezone);
  const offsetAfter = offsetMs(clockMs + FURTHEST_OFFSET_MS, timezone);
  if (offsetBefore === offsetAfter) return clockMs - offsetBefore;
  for (const offset of [offsetBefore, offsetAfter]) {
    if (offsetMs(clockMs - offset, timezone) === offset) return clockMs - offset;
  }
  // Clocks that skip midnight mostly do so at midnight.
  const midnightMs = clockMs - offsetBefore;
  if (offsetMs(midnightMs - 1, timezone) === offsetBefore) return midnightMs;
  return changeOfOffsetMs(clockMs - FURTHEST_OFFSET_MS, clockMs + FURTHEST_OFFSET_MS, timezone);
}

/** The first instant in `(fromMs, toMs]` with another offset than `fromMs`. */
function changeOfOffsetMs(fromMs: number, toMs: number, timezone: string): number {
  const offset = offsetMs(fromMs, timezone);
  let [same, other] = [fromMs, toMs];
  while (other - same > 1) {
    const middle = Math.floor((same + other) / 2);
    if (offsetMs(middle, timezone) === offset) same = middle;
    else other = middle;
  }
  return other;
}

/** Positive east of UTC. */
function offsetMs(instantMs: number, timezone: string): number {
  if (timezone === 'UTC') return 0;
  const [, sign, hours, minutes, seconds = 0] = OFFSET.exec(clocksOf(timezone).format(instantMs)) ?? [];
  const ms = HOUR_MS * Number(hours ?? 0) + 60_000 * Number(minutes ?? 0) + 1_000 * Number(seconds);
  return sign === '-' ? -ms : ms;
}

/** `GMT+05:41:16`, or `GMT` alone: local times before time zones have seconds. */
const OFFSET = /([+-])(\d\d):(\d\d)(?::(\d\d))?$/;

/** A formatter is costly to create. */
const CLOCKS = new Map<string, Intl.DateTimeFormat>();

function clocksOf(timezone: string): Intl.DateTimeFormat {
  const clocks = CLOCKS.get(timezone) ?? newClocks(timezone);
  CLOCKS.set(timezone, clocks);
  return clocks;
}

/** Formatting a date and time instead takes five times as long. */
const newClocks = (timeZone: string): Intl.DateTimeFormat =>
  new Intl.DateTimeFormat('en-u-ca-gregory-nu-latn', { timeZone, hour: 'numeric', timeZoneName: 'longOffset' });

/** `[fromMs, beforeMs)`, in milliseconds since the epoch. */
export interface Interval {
  readonly fromMs: number;
  readonly beforeMs: number;
}

/** A date is a day on the clocks of `timezone` (S-8). */
export const fromMsOf = (term: DateTerm, timezone: string): number =>
  term.kind === 'date' ? startOfDayMs(term.date, timezone) : Date.parse(term.instant);

/** After the day of a date, or the second of a date-time, or its millisecond if it has a fraction (S-8). */
export function beforeMsOf(term: DateTerm, timezone: string): number {
  if (term.kind === 'date') return startOfNextDayMs(term.date, timezone);
  return Date.parse(term.instant) + (term.precision === 'second' ? 1_000 : 1);
}

/** `gte` lies after everything that `lte` covers: a mistake (S-8). */
export function isPast(gte: DateTerm, lte: DateTerm, timezone: string): boolean {
  if (gte.kind === 'date' && lte.kind === 'date') return gte.date > lte.date;
  return fromMsOf(gte, timezone) >= beforeMsOf(lte, timezone);
}
