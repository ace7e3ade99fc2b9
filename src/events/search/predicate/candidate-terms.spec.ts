import { sql } from '../../../kernel/sql/sql.js';
import { allOf, both, type CandidateTerms, either, someOf, withCandidateTerms } from './candidate-terms.js';

const NONE: CandidateTerms = { kind: 'none' };
const some = (...terms: bigint[]): CandidateTerms => someOf(terms);
const every = (...terms: bigint[]): CandidateTerms => allOf(terms);

const statement = (candidateTerms: CandidateTerms) =>
  withCandidateTerms(candidateTerms, sql`condition`).condition.toQuery();

const manyTerms = (count: number): bigint[] => Array.from({ length: count }, (_, at) => BigInt(at));

const lookedUpEach = (list: string): string =>
  `select found.seq from (select array[term] as terms from unnest((select ${list}::bigint[])) as t (term)) as wanted cross join lateral (
        select e.seq from event_search e where e.terms @> wanted.terms offset 0) as found`;

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
    ['a term named twice', some(1n, 2n, 1n), '(s.terms && $1::bigint[] and condition)', [[1n, 2n]]],
    [
      'one of a long list, whose length is not seen',
      some(...manyTerms(17)),
      '(s.terms && (select $1::bigint[]) and condition)',
      [manyTerms(17)],
    ],
    [
      'one of a very long list, each looked up by itself',
      some(...manyTerms(257)),
      `(s.seq = any (array(${lookedUpEach('$1')})) and condition)`,
      [manyTerms(257)],
    ],
    [
      'both of two very long lists: one list of what both find',
      both([some(...manyTerms(257)), some(...manyTerms(258)), some(1n)]),
      `((s.terms @> $1::bigint[] and s.seq = any (array((${lookedUpEach('$2')}) intersect (${lookedUpEach('$3')})))) and condition)`,
      [[1n], manyTerms(257), manyTerms(258)],
    ],
  ])('takes %s', (_, candidateTerms, text, params) => {
    expect(statement(candidateTerms)).toEqual({ text, params });
  });
});
