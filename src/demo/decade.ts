import type { CalendarDate } from '../domain/calendar.js';
import { DAY_MS, HOUR_MS } from '../domain/calendar.js';
import type { Prng } from './prng.js';
import { Weighted } from './weighted.js';

const YEARS = 10;
/** By how much more arrives on the last day than on the first one. */
const GROWTH = 0.6;
/** By how much the busiest month lies above the average. */
const SEASONALITY = 0.14;
const BUSIEST_MONTH = 3;
/** Sunday first. */
const SHARE_OF_WEEKDAY = [0.12, 1.1, 1.05, 1, 1, 0.95, 0.35];

/** The ten years that the records of a country arrive in: slowly growing, with seasons and quiet Sundays. */
export class Decade {
  /** The last millisecond of the last day: nothing in the data lies behind it. */
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

  /** When a record comes in: a moment between 06:00 and 18:00 of some day. */
  drawArrivalMs(prng: Prng): number {
    return this.days.draw(prng) + 6 * HOUR_MS + Math.floor(prng.unit() * 12 * HOUR_MS);
  }
}

function busyness(dayMs: number, shareOfDecade: number): number {
  const date = new Date(dayMs);
  const season = 1 + SEASONALITY * Math.cos(((date.getUTCMonth() - BUSIEST_MONTH) / 12) * 2 * Math.PI);
  return (1 + GROWTH * shareOfDecade) * season * (SHARE_OF_WEEKDAY[date.getUTCDay()] ?? 1);
}
