import { type CalendarDate, DAY_MS, type Instant, toInstant, utcDayOf } from '../src/kernel/domain/calendar.js';

export const YEAR_MS = 365.25 * DAY_MS;

export const instantOf = (atMs: number): Instant => toInstant(new Date(atMs));

/** The day in UTC. */
export const calendarDateOf = (atMs: number): CalendarDate => utcDayOf(instantOf(atMs));

/** `HH:MM` in UTC. */
export const timeOfDay = (atMs: number): string => instantOf(atMs).slice(11, 16);

/** In UTC. */
export const startOfDayMs = (atMs: number): number => Math.floor(atMs / DAY_MS) * DAY_MS;
