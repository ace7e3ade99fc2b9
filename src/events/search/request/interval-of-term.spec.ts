import { parseSearchRequest } from './parse-search-request.js';

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
