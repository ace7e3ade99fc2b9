import { knownOf } from '../../../../test/support/reference/near-words.js';
import type { Cardinalities } from '../../index/statistics/cardinalities.js';
import type { Uuid } from '../../../kernel/domain/uuid.js';
import { compileSearch } from '../predicate/compile-search.js';
import { parseSearchRequest } from '../request/parse-search-request.js';
import { planOf } from './plan.js';

const PROVINCE = '5a0a0000-0000-4000-8000-000000000001' as Uuid;

const registeredWithin = (location: string): object => ({
  status: { type: 'exact', term: 'REGISTERED' },
  'legalStatuses.REGISTERED.createdAtLocation': { type: 'within', location },
});

/** Six in ten of 300,000 records are registered, and so many of them are in the area. */
const cardinalitiesWith = (inArea: number): Cardinalities => ({
  records: 300_000,
  ofTerm: () => 180_000,
  ofLocations: () => inArea,
  ofRareTerm: 0,
  ofInstants: () => inArea,
});

function kindOf(clause: object, inArea: number, more: object = {}): string {
  const request = parseSearchRequest({ query: { clauses: [clause] }, ...more }, { maxLimit: 10_000 });
  const search = compileSearch(request, 'everything', {
    now: new Date('2026-03-01T12:00:00Z'),
    timezone: 'UTC',
    below: (location) => [location as Uuid],
    ...knownOf([]),
  });
  return planOf(search, cardinalitiesWith(inArea)).kind;
}

describe('the plan of a search', () => {
  it.each([
    ['so few that one statement has them at once', registeredWithin(PROVINCE), 1_000, {}, 'single-statement'],
    ['a number that bitmaps may count', registeredWithin(PROVINCE), 23_000, {}, 'two-phase'],
    ['a page too deep for a short walk', registeredWithin(PROVINCE), 23_000, { offset: 5_000 }, 'single-statement'],
    ['many', registeredWithin(PROVINCE), 90_000, {}, 'two-phase'],
    [
      'an order without an index',
      registeredWithin(PROVINCE),
      90_000,
      { sort: [{ field: 'trackingId', direction: 'asc' }] },
      'single-statement',
    ],
  ])('for %s', (_, clause, inArea, more, kind) => {
    expect(kindOf(clause, inArea, more)).toBe(kind);
  });
});
