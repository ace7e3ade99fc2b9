import { sql } from '../../sql/sql.js';
import type { CandidateTerms } from './candidate-terms.js';
import { allOf, both, either, withCandidateTerms, someOf } from './candidate-terms.js';

const NONE: CandidateTerms = { kind: 'none' };
const some = (...terms: bigint[]): CandidateTerms => someOf(terms, (term) => term);
const every = (...terms: bigint[]): CandidateTerms => allOf(terms, (term) => term);

const statement = (candidateTerms: CandidateTerms) => withCandidateTerms(candidateTerms, sql`condition`).toQuery();

describe('a condition narrowed by terms', () => {
  it.each<[string, CandidateTerms, string, bigint[][]]>([
    ['nothing', NONE, 'condition', []],
    ['one term', some(1n), '(s.terms @> $1::bigint[] and condition)', [[1n]]],
    ['one of several', some(1n, 2n), '(s.terms && $1::bigint[] and condition)', [[1n, 2n]]],
    ['no term that there could be', some(), '(s.terms && $1::bigint[] and condition)', [[]]],
    ['all of several', every(1n, 2n), '(s.terms @> $1::bigint[] and condition)', [[1n, 2n]]],
    ['both, of which one is nothing', both([NONE, some(1n)]), '(s.terms @> $1::bigint[] and condition)', [[1n]]],
    ['both of nothing', both([NONE, NONE]), 'condition', []],
    [
      'both',
      both([some(1n), every(2n, 3n)]),
      '((s.terms @> $1::bigint[] and s.terms @> $2::bigint[]) and condition)',
      [[1n], [2n, 3n]],
    ],
    ['either, of which one is nothing', either([NONE, some(1n)]), 'condition', []],
    [
      'either of single terms',
      either([some(1n), every(2n), some()]),
      '(s.terms && $1::bigint[] and condition)',
      [[1n, 2n]],
    ],
    [
      'either',
      either([some(1n), every(2n, 3n), some(4n)]),
      '((s.terms && $1::bigint[] or s.terms @> $2::bigint[]) and condition)',
      [
        [1n, 4n],
        [2n, 3n],
      ],
    ],
    ['too many terms to look up', some(...Array.from({ length: 1_001 }, (_, at) => BigInt(at))), 'condition', []],
  ])('takes %s', (_, candidateTerms, text, params) => {
    expect(statement(candidateTerms)).toEqual({ text, params });
  });
});
