import type { Cardinalities } from '../../index/statistics/cardinalities.js';
import { sql } from '../../../kernel/sql/sql.js';
import { estimate, likely } from '../plan/plan.js';
import {
  allOfParts,
  anyOfParts,
  compileFilter,
  negated,
  type Predicate,
  type RowCondition,
  type RowLeaf,
  rowLeaf,
} from '../predicate/predicate.js';
import { dataLeaf } from '../predicate/candidate-terms.js';
import { compileIndexed } from './page.js';

const FREQUENCIES = new Map([
  [1n, 10],
  [2n, 150],
  [3n, 90_000],
]);

const cardinalities: Cardinalities = {
  records: 100_000,
  ofTerm: (term) => FREQUENCIES.get(term) ?? 0,
  ofLocations: (_, ids) => 100 * ids.length,
  ofRareTerm: 0,
  ofInstants: () => 40_000,
};

const leaf = (name: string, term: bigint, more: Partial<RowCondition> = {}): RowLeaf =>
  rowLeaf({
    condition: sql`${name}::text`,
    candidateTerms: { kind: 'someOf', terms: [term] },
    decides: false,
    index: 'none',
    ...more,
  });

const rare = leaf('rare', 1n);
const fairlyRare = leaf('fairly rare', 2n);
const frequent = leaf('frequent', 3n);
const status = leaf('status', 2n, { index: 'composite' });
const type = leaf('type', 3n, { index: 'in composite' });
const area = leaf('in the area', 3n, { index: 'composite', candidateTerms: { kind: 'none' } });
const hidden = leaf('hidden', 0n, { candidateTerms: { kind: 'none' } });

/** A long list of terms, of which only this one is anybody's. */
const listOf = (term: bigint, length = 257): readonly bigint[] => [
  term,
  ...Array.from({ length: length - 1 }, (_, at) => BigInt(100 + at)),
];
const decidedByList = (term: bigint): Predicate => dataLeaf({ kind: 'someOf', terms: listOf(term, 17) });
const leafOfList = (term: bigint): Predicate =>
  dataLeaf({ kind: 'someOf', terms: listOf(term) }, sql`${`list of ${term}`}::text`);
const foundByList = (term: bigint): string =>
  `(s.seq = any (array(select found.seq from (select array[term] as terms from unnest((select ${listOf(term).join(',')})) as t (term)) as wanted cross join lateral (
        select e.seq from event_search e where e.terms @> wanted.terms offset 0) as found)) and list of ${term})`;
const comparedWith = (term: bigint): string =>
  `((select bool_or(has.term in (select unnest(${listOf(term).join(',')}))) from unnest(s.terms) as has (term)) and list of ${term})`;

const dataLeafOf = (term: bigint): Predicate => dataLeaf({ kind: 'someOf', terms: [term] }, sql`${'rest'}::text`);
const lookedUp = '(s.terms @> (select 5) and s.terms @> (select 5) and s.terms @> (select 5))';

/** The statement with its parameters in place. */
function shown(predicate: Predicate, compile = compileIndexed): string {
  const { text, params } = compile(predicate, cardinalities).toQuery();
  return text.replace(/\$(\d+)(?:::[a-z]+(?:\[\])?)?/g, (_, number: string) => String(params[Number(number) - 1]));
}

describe('a condition that an index is to find', () => {
  it.each<[string, Predicate, string]>([
    [
      'lets the rarest of an AND drive, with what is about as rare',
      allOfParts([frequent, rare, fairlyRare]),
      '((frequent) is true and (s.terms @> 1 and rare) and (s.terms @> 2 and fairly rare))',
    ],
    [
      'finds each alternative of an OR',
      anyOfParts([rare, frequent]),
      '((s.terms @> 1 and rare) or (s.terms @> 3 and frequent))',
    ],
    [
      'finds each alternative of an OR by itself where it takes long to compare a row with one',
      anyOfParts([decidedByList(1n), status]),
      `s.seq = any (array((select s.seq from event_search s where s.terms && (select ${listOf(1n, 17).join(',')})) union all (select s.seq from event_search s where status)))`,
    ],
    ['finds a list alone as it is', anyOfParts([decidedByList(1n)]), `s.terms && (select ${listOf(1n, 17).join(',')})`],
    ['tries an OR of which an alternative cannot be found', anyOfParts([rare, hidden]), '((rare or hidden)) is true'],
    [
      'tries what is negated',
      allOfParts([rare, negated(frequent)]),
      '((s.terms @> 1 and rare) and (not frequent) is true)',
    ],
    ['lets one index go on with a second column, however frequent', allOfParts([type, status]), '(type and status)'],
    [
      'tries a column that the driver has no index with',
      allOfParts([type, rare]),
      '((type) is true and (s.terms @> 1 and rare))',
    ],
    ['finds by a column what no other terms find', allOfParts([area, hidden]), '(in the area and (hidden) is true)'],
    [
      'finds by the rarer of two lists, and compares that with one that is found more often',
      allOfParts([leafOfList(2n), leafOfList(1n), fairlyRare]),
      `((${comparedWith(2n)}) is true and ${foundByList(1n)} and (s.terms @> 2 and fairly rare))`,
    ],
    [
      'finds by two lists that are about as rare what is in both',
      allOfParts([leafOfList(0n), leafOfList(1n), fairlyRare]),
      `((s.terms @> 2 and fairly rare) and s.seq = any (array((select s.seq from event_search s where ${foundByList(0n)}) intersect (select s.seq from event_search s where ${foundByList(1n)}))))`,
    ],
    ['is all there is', allOfParts([]), 'true'],
    ['is nothing', anyOfParts([]), 'false'],
  ])('%s', (_, predicate, expected) => {
    expect(shown(predicate)).toBe(expected);
  });

  it.each<[string, Predicate, string]>([
    ['is looked up by a plan that is kept where a rare term alone finds it', dataLeafOf(5n), `(${lookedUp} and rest)`],
    ['is planned for the term where that is frequent', dataLeafOf(3n), '(s.terms @> 3 and rest)'],
    ['is planned for the term where its text is kept', dataLeafOf(6n), '(s.terms @> 6 and rest)'],
    [
      'is planned where more finds it',
      allOfParts([dataLeafOf(5n), rare]),
      '((s.terms @> 5 and rest) and (s.terms @> 1 and rare))',
    ],
  ])('%s', (_, predicate, expected) => {
    expect(shown(predicate)).toBe(expected);
  });

  it('is tried as it stands where no index is to take it', () => {
    expect(shown(allOfParts([rare, anyOfParts([frequent, status])]), compileFilter)).toBe(
      '((rare and (frequent or status))) is true',
    );
  });
});

describe('how many records match, about', () => {
  it.each<[string, Predicate, number]>([
    [
      'all: as the rarest, and each further condition leaves less out',
      allOfParts([frequent, rare, hidden]),
      10 * 0.9 ** 0.5,
    ],
    ['any: together, and never more than there are', anyOfParts([frequent, fairlyRare, frequent]), 100_000],
    ['not: the others', negated(frequent), 10_000],
    ['what says nothing of terms: everything', hidden, 100_000],
    ['a column: what is known of it', leaf('', 1n, { cardinality: { by: 'rows', rows: 3 } }), 3],
    ['nothing', anyOfParts([]), 0],
  ])('%s', (_, predicate, expected) => {
    expect(estimate(predicate, cardinalities)).toBe(expected);
  });
});

describe('how many records have a term, likely', () => {
  const most: Cardinalities = {
    ...cardinalities,
    ofTerm: (term) => FREQUENCIES.get(term) ?? 400,
    ofRareTerm: 400,
  };

  it.each([
    ['a word that is too rare to be known: as many as it can have', 4n, 400],
    ['an identity number that is too rare to be known: few', 5n, 5],
    ['a number that is frequent: as many as are known', 3n, 90_000],
  ])('%s', (_, term, expected) => {
    expect(likely(most).ofTerm(term)).toBe(expected);
  });

  it('lets a list of identity numbers drive, however many could have one', () => {
    const numbers = Array.from({ length: 64 }, (_, at) => BigInt(2 * at + 101));
    const found = allOfParts([dataLeaf({ kind: 'someOf', terms: numbers }, sql`rest`), frequent]);
    const { text } = compileIndexed(found, most).toQuery();
    expect(text).toBe('((s.terms && (select $1::bigint[]) and rest) and ($2::text) is true)');
  });
});
