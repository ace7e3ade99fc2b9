import { readValueTerms, valueTermsOf } from './value-terms.js';

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
  it('is read once', () => {
    const list = { type: 'anyOf' as const, terms: TERMS };
    const read = valueTermsOf(list);
    expect(read).toEqual(readValueTerms(TERMS));
    expect(read.soles).toEqual(['ama', 'bob@example.com']);
    expect(valueTermsOf(list)).toBe(read);
  });
});
