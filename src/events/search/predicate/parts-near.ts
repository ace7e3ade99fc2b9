import { sieveOfUuidParts, uuidPartsNear } from '../../index/near-words/uuid-parts-near.js';
import { all, type Sql, sql } from '../../../kernel/sql/sql.js';
import type { SearchContext } from './search-context.js';
import type { PartsNear, Patterns } from './near-in-value.js';

export const NO_PARTS: PartsNear = [];

const SEPARATOR = ',';

/** Memoized. */
export function partsNear(word: string, { workedOut }: Pick<SearchContext, 'workedOut'>): PartsNear {
  const known = workedOut?.partsNear.get(word);
  if (known !== undefined) return known;
  const sieve = sieveOfUuidParts(word);
  const parts = uuidPartsNear(word).map((patterns): Patterns | undefined =>
    patterns.length === 0
      ? undefined
      : {
          lengths: [...new Set(patterns.map(({ length }) => length))],
          joined: [patterns.join(SEPARATOR)],
          sieve: patterns.length > (sieve?.length ?? Infinity) ? sieve : undefined,
        },
  );
  workedOut?.partsNear.set(word, parts);
  return parts;
}

export function isLikeOneOf({ lengths, joined, sieve }: Patterns, words: Sql): Sql {
  const isLike = all([
    sql`length(word) = any(${lengths}::int[])`,
    ...(sieve === undefined ? [] : [sql`word like any(${sieve}::text[])`]),
    sql`word like any(string_to_array((${joined}::text[])[1], ${SEPARATOR}))`,
  ]);
  return sql`exists (select from unnest(${words}) as word where ${isLike})`;
}
