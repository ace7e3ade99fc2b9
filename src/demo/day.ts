import type { CalendarDate, Instant } from '../domain/calendar.js';
import { DAY_MS } from '../domain/calendar.js';

/** In milliseconds, with its share of a leap day. */
export const YEAR_MS = 365.25 * DAY_MS;

const DIGITS = Array.from({ length: 1_000 }, (_, number) => String(number).padStart(3, '0'));
const three = (number: number): string => DIGITS[number] ?? '';
const TWO_DIGITS = Array.from({ length: 100 }, (_, number) => String(number).padStart(2, '0'));
const two = (number: number): string => TWO_DIGITS[number] ?? '';

/**
 * The UTC day that holds the instant, of a year 1000…9999. Reckoned in years that begin in March, because
 * `Date.prototype.toISOString` took a quarter of the time in which a record is drawn.
 */
export function calendarDateOf(atMs: number): CalendarDate {
  const sinceMarchOfYear0 = Math.floor(atMs / DAY_MS) + 719_468;
  const era = Math.floor(sinceMarchOfYear0 / 146_097);
  const dayOfEra = sinceMarchOfYear0 - era * 146_097;
  const yearOfEra = Math.floor(
    (dayOfEra - Math.floor(dayOfEra / 1_460) + Math.floor(dayOfEra / 36_524) - Math.floor(dayOfEra / 146_096)) / 365,
  );
  const dayOfYear = dayOfEra - (365 * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100));
  const monthFromMarch = Math.floor((5 * dayOfYear + 2) / 153);
  const day = dayOfYear - Math.floor((153 * monthFromMarch + 2) / 5) + 1;
  const month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9;
  const year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0);
  return (String(year) + '-' + two(month) + '-' + two(day)) as CalendarDate;
}

/** The instant of so many milliseconds since 1970. */
export function instantOf(atMs: number): Instant {
  const ms = Math.floor(atMs) - startOfDayMs(atMs);
  const second = two(Math.floor(ms / 1_000) % 60);
  return (calendarDateOf(atMs) + 'T' + timeOfDay(atMs) + ':' + second + '.' + three(ms % 1_000) + 'Z') as Instant;
}

/** `HH:MM` of the instant, in UTC. */
export function timeOfDay(atMs: number): string {
  const minutes = Math.floor((atMs - startOfDayMs(atMs)) / 60_000);
  return two(Math.floor(minutes / 60)) + ':' + two(minutes % 60);
}

/** The first millisecond of the UTC day that holds the instant. */
export const startOfDayMs = (atMs: number): number => Math.floor(atMs / DAY_MS) * DAY_MS;

/** Whether a time, in milliseconds since the epoch, is on a Sunday: 1 January 1970 was a Thursday. */
export const isSunday = (atMs: number): boolean => (Math.floor(atMs / DAY_MS) + 4) % 7 === 0;
