import { knownOf } from '../../../../test/support/reference/near-words.js';
import { aUuid } from '../../../../test/support/builders/a-uuid.js';
import { compileFilter, compileRecheck } from '../compile-filter.js';
import { predicateOfLocation } from './locations.js';
import type { Predicate } from '../predicate.js';

const withinOf = (places: number): Predicate =>
  predicateOfLocation(
    { on: 'location', field: 'updatedAtLocation', match: 'within', location: aUuid(1) },
    {
      now: new Date('2026-03-01T12:00:00Z'),
      timezone: 'UTC',
      callerSubject: 'caller',
      below: () => Array.from({ length: places }, (_, at) => aUuid(at + 1)),
      ...knownOf([]),
    },
  );

describe('a place and those below it', () => {
  it.each([
    [3, '(s.updated_at_location = any($1::uuid[])) is true'],
    [4, '(s.updated_at_location in (select unnest($1::uuid[]))) is true'],
  ])('%d of them are filtered by without an estimate of many', (places, filter) => {
    expect(compileFilter(withinOf(places)).toQuery().text).toBe(filter);
  });

  it('are found by an index as one list, however many there are', () => {
    expect(compileRecheck(withinOf(840)).toQuery().text).toBe('s.updated_at_location = any($1::uuid[])');
  });
});
