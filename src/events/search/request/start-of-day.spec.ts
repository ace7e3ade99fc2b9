import fc from 'fast-check';
import { type CalendarDate, parseCalendarDate } from '../../../kernel/domain/calendar.js';
import { startOfDayMs, startOfNextDayMs } from './interval-of-term.js';

describe('startOfDayMs', () => {
  it.each([
    ['2026-03-01', 'UTC', '2026-03-01T00:00:00.000Z'],
    ['2026-03-01', 'Africa/Lusaka', '2026-02-28T22:00:00.000Z'],
    ['2026-03-01', 'Asia/Kathmandu', '2026-02-28T18:15:00.000Z'],
    ['2026-03-29', 'Europe/Paris', '2026-03-28T23:00:00.000Z'],
    ['2026-03-30', 'Europe/Paris', '2026-03-29T22:00:00.000Z'],
    // Clocks went from 24:00 to 01:00 of this day.
    ['2018-11-04', 'America/Sao_Paulo', '2018-11-04T03:00:00.000Z'],
    // Clocks went from 24:00 of this day back to 23:00.
    ['2018-02-17', 'America/Sao_Paulo', '2018-02-17T02:00:00.000Z'],
    ['2018-02-18', 'America/Sao_Paulo', '2018-02-18T03:00:00.000Z'],
    // Clocks went from 23:30 to 00:30 of this day.
    ['1919-03-31', 'America/Toronto', '1919-03-31T04:30:00.000Z'],
    // Clocks went from 00:01 back to 23:01 of the day before: the first of two midnights.
    ['2006-10-29', 'America/St_Johns', '2006-10-29T02:30:00.000Z'],
    // This day did not exist, nor any time of it.
    ['2011-12-30', 'Pacific/Apia', '2011-12-30T10:00:00.000Z'],
    ['2011-12-31', 'Pacific/Apia', '2011-12-30T10:00:00.000Z'],
    // Before time zones there was local mean time.
    ['1800-01-01', 'America/New_York', '1800-01-01T04:56:02.000Z'],
    ['0001-01-01', 'Asia/Kathmandu', '0000-12-31T18:18:44.000Z'],
  ])('of %s in %s is %s', (day, timezone, instant) => {
    expect(new Date(startOfDayMs(date(day), timezone)).toISOString()).toBe(instant);
  });

  it('is where clocks begin to show the day', () => {
    const zones = [
      'UTC',
      'Africa/Lusaka',
      'America/Sao_Paulo',
      'Europe/Paris',
      'Asia/Amman',
      'America/Havana',
      'Pacific/Apia',
    ];
    const days = fc.date({ min: new Date('1990-01-01'), max: new Date('2030-12-31'), noInvalidDate: true });
    fc.assert(
      fc.property(days, fc.constantFrom(...zones), (at, timezone) => {
        const day = at.toISOString().slice(0, 10);
        const start = startOfDayMs(date(day), timezone);
        expect(shownDay(start - 1, timezone) < day).toBe(true);
        expect(shownDay(start, timezone) >= day).toBe(true);
        expect(startOfNextDayMs(date(day), timezone)).toBeGreaterThanOrEqual(start);
        expect(shownDay(startOfNextDayMs(date(day), timezone) - 1, timezone) <= day).toBe(true);
      }),
      { numRuns: 500 },
    );
  });

  it('goes on after the last day that has a name', () => {
    expect(startOfNextDayMs(date('9999-12-31'), 'UTC')).toBe(Date.UTC(10_000, 0, 1));
  });
});

function date(text: string): CalendarDate {
  const day = parseCalendarDate(text);
  if (day === undefined) throw new Error(`${text} is no date`);
  return day;
}

const shownDay = (ms: number, timeZone: string): string =>
  new Intl.DateTimeFormat('en-CA', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' }).format(ms);
