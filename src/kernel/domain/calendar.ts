/** A real calendar day, `YYYY-MM-DD`. */
export type CalendarDate = string & { readonly calendarDate: unique symbol };

/** ISO 8601 in UTC with milliseconds: `2026-01-02T03:04:05.000Z`. */
export type Instant = string & { readonly instant: unique symbol };

export const HOUR_MS = 3_600_000;

/** 24 hours. */
export const DAY_MS = 24 * HOUR_MS;

const DATE = /^(\d{4})-(\d{2})-(\d{2})$/;
const DATE_TIME = /^(\d{4}-\d{2}-\d{2})T([01]\d|2[0-3]):([0-5]\d)(?::([0-5]\d)(\.\d+)?)?Z$/;

/** Undefined for anything that is no real date, such as `2023-02-29` (S-8). */
export function parseCalendarDate(value: unknown): CalendarDate | undefined {
  if (typeof value !== 'string' || value.length !== 10) return undefined;
  const match = DATE.exec(value);
  if (match === null) return undefined;
  const [year, month, day] = [Number(match[1]), Number(match[2]), Number(match[3])];
  // Year 0 exists neither in the calendar nor in Postgres.
  if (year === 0 || month < 1 || month > 12 || day < 1 || day > daysInMonth(year, month)) return undefined;
  return value as CalendarDate;
}

/** Whether a text has the form of a date but is no real one: `2025-02-31`, `2025-2-1` (S-10). */
export const isNoRealDate = (text: string): boolean =>
  /^\d{4}-\d{1,2}-\d{1,2}$/.test(text) && parseCalendarDate(text) === undefined;

function daysInMonth(year: number, month: number): number {
  if (month === 2) return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28;
  return [4, 6, 9, 11].includes(month) ? 30 : 31;
}

/** Exact as a whole second or millisecond (S-8). */
export interface DateTime {
  readonly instant: Instant;
  readonly precision: 'second' | 'millisecond';
}

/**
 * Parses ISO 8601 in UTC ending in `Z`, seconds and fraction optional. Finer fractions
 * than milliseconds are truncated.
 */
export function parseDateTime(value: unknown): DateTime | undefined {
  if (typeof value !== 'string') return undefined;
  const match = DATE_TIME.exec(value);
  if (match === null || parseCalendarDate(match[1]) === undefined) return undefined;
  const [, day, hour, minute, second = '00', fraction] = match;
  const milliseconds = (fraction ?? '.').slice(1, 4).padEnd(3, '0');
  return {
    instant: `${day ?? ''}T${hour ?? ''}:${minute ?? ''}:${second}.${milliseconds}Z` as Instant,
    precision: fraction === undefined ? 'second' : 'millisecond',
  };
}

const WITH_OFFSET = /^(.+)(Z|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/;

/** As `parseDateTime`, with an offset in place of `Z`: `2026-01-02T03:04:05+02:00`. */
export function parseOffsetDateTime(value: unknown): Instant | undefined {
  if (typeof value !== 'string') return undefined;
  const [, local = '', offset = ''] = WITH_OFFSET.exec(value) ?? [];
  const read = parseDateTime(`${local}Z`)?.instant;
  if (read === undefined) return undefined;
  // Outside the years 1 to 9999 the notation differs.
  return parseDateTime(new Date(`${read.slice(0, -1)}${offset}`).toISOString())?.instant;
}

export const toInstant = (date: Date): Instant => date.toISOString() as Instant;

export const utcDayOf = (instant: Instant): CalendarDate => instant.slice(0, 10) as CalendarDate;

/** A formatter is costly to create, and never changes. */
const CALENDARS = new Map<string, Intl.DateTimeFormat>();

/** The calendar day in `timezone` at an instant (S-8, L-2). */
export function dayIn(timezone: string, instant: Date): CalendarDate {
  const calendar = CALENDARS.get(timezone) ?? newCalendar(timezone);
  CALENDARS.set(timezone, calendar);
  const parts = new Map(calendar.formatToParts(instant).map(({ type, value }) => [type, value]));
  const part = (type: Intl.DateTimeFormatPartTypes, digits: number): string =>
    (parts.get(type) ?? '').padStart(digits, '0');
  return `${part('year', 4)}-${part('month', 2)}-${part('day', 2)}` as CalendarDate;
}

const newCalendar = (timeZone: string): Intl.DateTimeFormat =>
  new Intl.DateTimeFormat('en-u-ca-gregory-nu-latn', {
    timeZone,
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
  });
