import fc from 'fast-check';

import { knownOf } from '../../../../test/support/reference/near-words.js';
import { fieldOf } from '../../index/values/data-path.js';
import { bucketOf } from '../../index/values/number-of.js';
import { fieldAt, TermRoom } from './search-context.js';
import { candidatesOfField } from './field-candidates.js';

const known = knownOf([
  { card: '2015123456' },
  { card: '20150607-0000-4000-8000-00000000000a' },
  { card: '2015-06-07 or so' },
  { card: '7' },
  { weight: 3.5 },
]);
const context = { ...known, now: new Date(0), timezone: 'UTC', below: () => [] };
const field = fieldAt(fieldOf('card'), context);
const between = (gte: string, lte: string) =>
  candidatesOfField({ type: 'range', gte, lte }, { ...field, room: new TermRoom() }, context).candidateTerms;
const head = (digit: string) => ({ kind: 'someOf', terms: [field.kinds.kind('head').term(digit).hash] });

describe('a range of texts that begin with digits, in a field that has identity numbers', () => {
  it.each([
    ['days of one month', '2015-06-01', '2015-06-30'],
    ['days of one year', '2015-01-01', '2015-12-31'],
    ['an id that is none', '20150607-000g1', '20150607-000g2'],
  ])('looks for texts of one first digit: %s', (_, gte, lte) => {
    expect(between(gte, lte)).toEqual(head('2'));
  });

  it.each([
    ['years, between which there are identity numbers', '2010-01-01', '2025-01-01'],
    ['identity numbers', '2015123', '2015124'],
    ['ids', '20150607-0000-4', '20150607-0000-5'],
  ])('looks at every record: %s', (_, gte, lte) => {
    expect(between(gte, lte)).toEqual({ kind: 'none' });
  });
});

describe('a range of numbers, in a field that has no texts', () => {
  const weight = fieldAt(fieldOf('weight'), context);
  const aNumber = fc.oneof(
    fc.integer({ min: -4_000, max: 4_000 }).map((thousandths) => thousandths / 1_000),
    fc.double({ noNaN: true, noDefaultInfinity: true }),
  );
  const inRange = (gte: number, lte: number, number: number) => {
    const range = { type: 'range', gte: String(gte), lte: String(lte) } as const;
    const { candidateTerms, exact } = candidatesOfField(range, { ...weight, room: new TermRoom() }, context);
    const term = weight.kinds.kind('bucket').term(String(bucketOf(number))).hash;
    return { mayMatch: 'terms' in candidateTerms && candidateTerms.terms.includes(term), exact, term };
  };

  it('looks for every number in it, and is exact of no other', () => {
    fc.assert(
      fc.property(aNumber, aNumber, aNumber, (one, two, number) => {
        const [gte, lte] = one < two ? [one, two] : [two, one];
        const { mayMatch, exact, term } = inRange(gte, lte, number);
        if (gte <= number && number <= lte) expect(mayMatch).toBe(true);
        else expect(exact).not.toMatchObject({ terms: expect.arrayContaining([term]) as unknown });
      }),
      { numRuns: 1_000 },
    );
  });
});
