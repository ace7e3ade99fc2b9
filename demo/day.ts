import { type CalendarDate, DAY_MS, HOUR_MS, type Instant } from '../src/kernel/domain/calendar.js';
import { type Prng, Weighted } from './prng.js';

export const YEAR_MS = 365.25 * DAY_MS;

const DIGITS = Array.from({ length: 1_000 }, (_, number) => String(number).padStart(3, '0'));
const three = (number: number): string => DIGITS[number] ?? '';
const TWO_DIGITS = Array.from({ length: 100 }, (_, number) => String(number).padStart(2, '0'));
const two = (number: number): string => TWO_DIGITS[number] ?? '';

/**
 * The UTC day of the instant, years 1000…9999. `Date.prototype.toISOString` would take a quarter of the time per
 * record.
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

export function instantOf(atMs: number): Instant {
  const ms = Math.floor(atMs) - startOfDayMs(atMs);
  const second = two(Math.floor(ms / 1_000) % 60);
  return (calendarDateOf(atMs) + 'T' + timeOfDay(atMs) + ':' + second + '.' + three(ms % 1_000) + 'Z') as Instant;
}

/** `HH:MM` in UTC. */
export function timeOfDay(atMs: number): string {
  const minutes = Math.floor((atMs - startOfDayMs(atMs)) / 60_000);
  return two(Math.floor(minutes / 60)) + ':' + two(minutes % 60);
}

/** In UTC. */
export const startOfDayMs = (atMs: number): number => Math.floor(atMs / DAY_MS) * DAY_MS;

/** 1 January 1970 was a Thursday. */
export const isSunday = (atMs: number): boolean => (Math.floor(atMs / DAY_MS) + 4) % 7 === 0;

const YEARS = 10;
/** Relative growth from the first to the last day. */
const GROWTH = 0.6;
/** The busiest month's excess over the average. */
const SEASONALITY = 0.14;
const BUSIEST_MONTH = 3;
/** Sunday first. */
const SHARE_OF_WEEKDAY = [0.12, 1.1, 1.05, 1, 1, 0.95, 0.35];

/** Ten years of arrivals: slowly growing, with seasons and quiet Sundays. */
export class Decade {
  /** The last millisecond of the data. */
  readonly endMs: number;
  private readonly days: Weighted<number>;

  constructor(lastDay: CalendarDate) {
    const last = new Date(`${lastDay}T00:00:00.000Z`);
    const firstMs = Date.UTC(last.getUTCFullYear() - YEARS, last.getUTCMonth(), last.getUTCDate() + 1);
    this.endMs = last.getTime() + DAY_MS - 1;
    const table: [weight: number, dayMs: number][] = [];
    for (let dayMs = firstMs; dayMs < this.endMs; dayMs += DAY_MS) {
      table.push([busyness(dayMs, (dayMs - firstMs) / (this.endMs - firstMs)), dayMs]);
    }
    this.days = new Weighted(table);
  }

  /** Between 06:00 and 18:00 of some day. */
  drawArrivalMs(prng: Prng): number {
    return this.days.draw(prng) + 6 * HOUR_MS + Math.floor(prng.unit() * 12 * HOUR_MS);
  }
}

function busyness(dayMs: number, shareOfDecade: number): number {
  const date = new Date(dayMs);
  const season = 1 + SEASONALITY * Math.cos(((date.getUTCMonth() - BUSIEST_MONTH) / 12) * 2 * Math.PI);
  return (1 + GROWTH * shareOfDecade) * season * (SHARE_OF_WEEKDAY[date.getUTCDay()] ?? 1);
}
