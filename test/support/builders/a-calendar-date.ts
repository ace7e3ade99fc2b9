import { type CalendarDate, parseCalendarDate } from '../../../src/kernel/domain/calendar.js';

/** The date that `text` spells: `2026-01-02`. */
export function aCalendarDate(text: string): CalendarDate {
  const date = parseCalendarDate(text);
  if (date === undefined) throw new Error(`${text} is no date`);
  return date;
}
