import type { DateTerm } from '../../../domain/search-request.js';
import { startOfDayMs, startOfNextDayMs } from './start-of-day.js';

/** The instants in `[fromMs, beforeMs)`, in milliseconds since the epoch. */
export interface Interval {
  readonly fromMs: number;
  readonly beforeMs: number;
}

/**
 * The day of a date on the clocks of `timezone`, the second of a date-time, or the millisecond if it has a fraction
 * (S-8).
 */
export function intervalOfTerm(term: DateTerm, timezone: string): Interval {
  if (term.kind === 'date') {
    return { fromMs: startOfDayMs(term.date, timezone), beforeMs: startOfNextDayMs(term.date, timezone) };
  }
  const fromMs = Date.parse(term.instant);
  return { fromMs, beforeMs: fromMs + (term.precision === 'second' ? 1_000 : 1) };
}

/** Whether `gte` lies after everything that `lte` covers, so that the range must be a mistake (S-8). */
export function isPast(gte: DateTerm, lte: DateTerm, timezone: string): boolean {
  if (gte.kind === 'date' && lte.kind === 'date') return gte.date > lte.date;
  return intervalOfTerm(gte, timezone).fromMs >= intervalOfTerm(lte, timezone).beforeMs;
}
