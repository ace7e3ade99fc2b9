import { parseCalendarDate } from '../../../kernel/domain/calendar.js';
import type { DateTerm } from '../../../kernel/domain/search-request.js';
import { intervalOfCondition } from './row-filter.js';

describe('a range of dates', () => {
  afterEach(() => {
    jest.restoreAllMocks();
  });

  it.each([
    ['UTC', '2026-03-01', 0],
    ['Africa/Lusaka', '2026-03-01', 4],
    // Where clocks are put forward at midnight.
    ['Africa/Cairo', '2026-04-24', 10],
  ])('in %s asks for the offset of the zone a few times: a search may have 1,500 ranges', (timezone, day, most) => {
    // Reading it yields a function that is bound to the formatter.
    const clocks: { readonly format: unknown } = Intl.DateTimeFormat.prototype;
    const asked = [jest.spyOn(clocks, 'format', 'get'), jest.spyOn(Intl.DateTimeFormat.prototype, 'formatToParts')];
    const range = { type: 'range', gte: parsed(day), lte: parsed(day) } as const;
    intervalOfCondition(range, { nowMs: 0, timezone });
    expect(asked.reduce((sum, { mock }) => sum + mock.calls.length, 0)).toBeLessThanOrEqual(most);
  });
});

function parsed(text: string): DateTerm {
  const date = parseCalendarDate(text);
  if (date === undefined) throw new Error(`${text} is no date`);
  return { kind: 'date', date };
}
