import { parseCalendarDate } from '../../../domain/calendar.js';
import type { DateTerm } from '../../../domain/search-request.js';
import { intervalOfCondition } from '../../predicate/metadata/instants.js';
import { parseSearchRequest } from '../parse-search-request.js';

const ranges = [
  // From the start of the 2nd to 20:00 of the 1st, Greenwich.
  { gte: '2024-03-02', lte: '2024-03-01T20:00:00Z' },
  { gte: '2024-03-02T03:00:00Z', lte: '2024-03-01' },
  { gte: '2024-03-02', lte: '2024-03-01' },
  { gte: '2024-03-02', lte: '2024-03-02' },
  { gte: '2024-03-01T20:00:00.500Z', lte: '2024-03-01T20:00:00Z' },
  { gte: '2024-03-01T20:00:01Z', lte: '2024-03-01T20:00:00Z' },
];

const isRefused = (range: object, timezone: string): boolean => {
  const query = { clauses: [{ createdAt: { type: 'range', ...range } }] };
  try {
    parseSearchRequest({ query }, { maxLimit: 1, timezone });
    return false;
  } catch (error) {
    expect(error).toMatchObject({
      code: 'BAD_REQUEST',
      issues: [{ message: 'query.clauses[0].createdAt: `gte` must not be after `lte`' }],
    });
    return true;
  }
};

describe('a range whose gte is after its lte (S-8)', () => {
  it.each<[string, readonly boolean[]]>([
    ['UTC', [true, true, true, false, false, true]],
    // There the 2nd begins at 18:00 of the 1st, Greenwich, and ends as early.
    ['Asia/Almaty', [false, true, true, false, false, true]],
    // There it begins at 05:00 of the 2nd.
    ['America/New_York', [true, false, true, false, false, true]],
  ])('is refused in %s', (timezone, refused) => {
    expect(ranges.map((range) => isRefused(range, timezone))).toEqual(refused);
  });

  it('is none on a day that the zone skipped', () => {
    expect(isRefused({ gte: '2011-12-30', lte: '2011-12-30' }, 'Pacific/Apia')).toBe(false);
    expect(isRefused({ gte: '2011-12-31', lte: '2011-12-30' }, 'Pacific/Apia')).toBe(true);
  });
});

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
