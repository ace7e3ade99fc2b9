import { TERMS } from '../../../../test/support/terms.js';
import { NO_WORDS } from '../../index/near-words/fuzzy-dictionary.js';
import { fieldOf } from '../../index/values/data-path.js';
import { KnownShapes } from '../../index/terms/shapes.js';
import { countTerms } from './candidate-terms.js';
import { candidatesOfAnyField } from './any-field.js';

describe('a range of dates on any field', () => {
  /** Sixty fields with dates of the years 1600 to 1999. */
  const shapes = new KnownShapes();
  for (let field = 0; field < 60; field += 1) {
    const at = { path: fieldOf(`field ${field}`), isField: true };
    shapes.add(at, 'day');
    for (let year = 1_600; year < 2_000; year += 1) shapes.add(at, `year ${year}`);
  }
  const context = {
    shapes,
    dictionary: NO_WORDS,
    now: new Date(0),
    timezone: 'UTC',
    below: () => [],
    terms: TERMS,
  };
  const termsOf = (gte: string, lte: string): number =>
    countTerms(candidatesOfAnyField({ type: 'range', gte, lte }, context).candidateTerms);

  it('names the months of the years that there are, field by field', () => {
    expect(termsOf('1998-01-01', '2030-12-31')).toBe(60 * 2 * 12);
  });

  it('names none where these are too many: the records are looked at (Q-1)', () => {
    expect(termsOf('0001-01-01', '9999-12-31')).toBe(0);
  });
});
