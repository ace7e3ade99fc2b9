import type { AnyOf } from './value-terms.js';
import { readingTermsOf, readValueTerms, valueTermsOf } from './value-terms.js';

const TERMS = [
  'Ama',
  'ÉLODIE Musonda',
  '3.0',
  '2024-02-20',
  JSON.stringify({ country: 'FAR', addressType: 'INTERNATIONAL', streetLevelDetails: { town: 'Ibombo' } }),
  '?!',
  'bob@example.com',
];

describe('a list of terms', () => {
  it('is read one by one as it is at once', () => {
    const list: AnyOf = { type: 'anyOf', terms: TERMS };
    expect([...readingTermsOf(list)]).toHaveLength(TERMS.length);
    const read = valueTermsOf(list);
    expect(read).toEqual(readValueTerms(TERMS));
    expect(read.soles).toEqual(['ama', 'bob@example.com']);
    // Once.
    expect([...readingTermsOf(list)]).toEqual([]);
    expect(valueTermsOf(list)).toBe(read);
  });
});
