import type { CalendarDate } from './calendar.js';

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
