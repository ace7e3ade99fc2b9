import { knownOf } from '../../../../test/support/reference/near-words.js';
import { fieldOf } from '../../../derived/values/data-path.js';
import { fieldAt } from './field.js';
import { candidatesOfField } from './field-candidates.js';

const known = knownOf([
  { card: '2015123456' },
  { card: '20150607-0000-4000-8000-00000000000a' },
  { card: '2015-06-07 or so' },
  { card: '7' },
]);
const context = { ...known, now: new Date(0), timezone: 'UTC', below: () => [] };
const field = fieldAt(fieldOf('card'), context);
const between = (gte: string, lte: string) =>
  candidatesOfField({ type: 'range', gte, lte }, field, context).candidateTerms;
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
