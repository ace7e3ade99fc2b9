import { type CalendarDate, DAY_MS, HOUR_MS } from '../../../kernel/domain/calendar.js';

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
