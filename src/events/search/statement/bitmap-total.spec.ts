import { EVERY_TERM } from '../../index/statistics/write-bitmaps.js';
import type { Cardinalities } from '../../index/statistics/cardinalities.js';
import { type Sql, sql } from '../../../kernel/sql/sql.js';
import { allOfParts, anyOfParts, type Predicate, type RowLeaf, rowLeaf } from '../predicate/predicate.js';
import { countedByBitmaps } from './bitmap-total.js';

const cardinalities: Cardinalities = {
  records: 1_000_000,
  ofTerm: () => 50_000,
  ofLocations: () => 0,
  ofRareTerm: 0,
  ofInstants: () => 0,
};

const leaf = (term: bigint): RowLeaf =>
  rowLeaf({
    condition: sql`${String(term)}::text`,
    candidateTerms: { kind: 'someOf', terms: [term] },
    decides: true,
    index: 'own',
  });

/** A condition, and how often it has become a part of a statement. */
function watched(term: bigint): { readonly condition: Predicate; readonly times: () => number } {
  const { condition, ...others } = leaf(term);
  let times = 0;
  return {
    condition: {
      ...others,
      get condition(): Sql {
        times += 1;
        return condition;
      },
    },
    times: () => times,
  };
}

describe('a count by bitmaps', () => {
  /** The condition below as many ANDs and ORs as a request may have. */
  const nested = (condition: Predicate): Predicate =>
    Array.from({ length: 15 }, (_, at) => BigInt(at + 2)).reduce<Predicate>(
      (inner, term) => (term % 2n === 0n ? allOfParts : anyOfParts)([inner, leaf(term)]),
      condition,
    );

  it.each<[string, ReadonlySet<bigint>, boolean]>([
    ['has bitmaps', new Set(Array.from({ length: 20 }, (_, at) => BigInt(at))), true],
    ['has none, and is not counted so', new Set([EVERY_TERM]), false],
  ])('makes a condition that %s part of its statement no more often than it is there', (_, tracked, isCounted) => {
    const { condition, times } = watched(1n);
    const counted = countedByBitmaps(nested(condition), tracked, cardinalities);
    expect({ isCounted: counted !== undefined, times: times() }).toEqual({ isCounted, times: Number(isCounted) });
  });

  it('is none without the bitmap of every record', () => {
    expect(countedByBitmaps(leaf(1n), new Set([1n]), cardinalities)).toBeUndefined();
    expect(countedByBitmaps(leaf(1n), new Set([EVERY_TERM, 1n]), cardinalities)).toBeDefined();
  });
});
