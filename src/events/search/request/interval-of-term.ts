import type { DateTerm } from '../../../kernel/domain/search-request.js';
import { startOfDayMs, startOfNextDayMs } from './start-of-day.js';

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
