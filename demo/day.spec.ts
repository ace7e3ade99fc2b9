import { DAY_MS } from '../src/kernel/domain/calendar.js';
import { calendarDateOf, instantOf, startOfDayMs, timeOfDay } from './day.js';

describe('days and instants', () => {
  const moments: number[] = [];
  for (let atMs = Date.UTC(1890, 0, 1, 23, 59, 58, 7); atMs < Date.UTC(2110, 0, 1); atMs += DAY_MS - 61_003)
    moments.push(atMs);

  it('are spelled as the calendar spells them, every day from 1890 to 2109', () => {
    const misspelled = moments.filter((atMs) => {
      const iso = new Date(atMs).toISOString();
      return (
        instantOf(atMs) !== iso || calendarDateOf(atMs) !== iso.slice(0, 10) || timeOfDay(atMs) !== iso.slice(11, 16)
      );
    });
    expect(misspelled).toEqual([]);
  });

  it('know the beginning of a day', () => {
    expect(startOfDayMs(Date.UTC(2024, 1, 29, 13, 5))).toBe(Date.UTC(2024, 1, 29));
  });
});
