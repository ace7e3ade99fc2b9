import type { Instant } from '../../../src/kernel/domain/calendar.js';

/** The calendar date that clocks in a zone show at an instant, `YYYY-MM-DD`. */
export const dateOnClocks = (instant: Instant, timeZone: string): string =>
  new Intl.DateTimeFormat('en-CA', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' })
    .format(new Date(instant))
    .padStart('YYYY-MM-DD'.length, '0');
