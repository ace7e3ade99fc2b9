import { knownOf } from '../../../../test/support/reference/near-words.js';
import { aUuid } from '../../../../test/support/builders/a-uuid.js';
import type { LocationField } from '../../../kernel/domain/search-request.js';
import { anyOfParts, compileFilter, compileRecheck, type Predicate } from './predicate.js';
import { predicateOfLocation } from './row-filter.js';

function withinOf(places: number, fields: readonly LocationField[] = ['updatedAtLocation']): Predicate {
  const below = Array.from({ length: places }, (_, at) => aUuid(at + 1));
  const context = {
    now: new Date('2026-03-01T12:00:00Z'),
    timezone: 'UTC',
    below: () => below,
    ...knownOf([]),
  };
  return anyOfParts(
    fields.map((field) => predicateOfLocation({ on: 'location', field, match: 'within', location: aUuid(1) }, context)),
  );
}

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

  it('are sent once, however many conditions ask for them', () => {
    const asked = withinOf(840, ['updatedAtLocation', 'createdAtLocation', 'updatedAtLocation']);
    expect(compileRecheck(asked).toQuery()).toEqual({
      text: '(s.updated_at_location = any($1::uuid[]) or s.created_at_location = any($1::uuid[]) or s.updated_at_location = any($1::uuid[]))',
      params: [Array.from({ length: 840 }, (_, at) => aUuid(at + 1))],
    });
  });
});
