import type { Terms } from '../../index/terms/terms.js';
import { type Sql, sql } from '../../../kernel/sql/sql.js';
import { allOf, someOf } from './candidate-terms.js';
import { allOfParts, negated, type Predicate, rowLeaf, WITHOUT_TERMS } from './predicate.js';

/** An empty `anyOf` matches nothing (S-6). */
export interface FlagsWanted {
  readonly anyOf?: readonly string[];
  readonly noneOf?: readonly string[];
  readonly allOf?: readonly string[];
}

/** Never NULL: a record always has a list of flags. Only a search for records needs `terms`. */
export function predicateOfFlags(
  { anyOf: some, noneOf: none = [], allOf: every = [] }: FlagsWanted,
  terms?: Terms,
): Predicate {
  const leaf = (condition: Sql, flags: readonly string[], of: typeof allOf): Predicate =>
    rowLeaf({
      condition,
      ...(terms === undefined
        ? WITHOUT_TERMS
        : { candidateTerms: of(flags.map((flag) => terms.ofMetadata('flag', flag))), decides: true }),
      index: 'none',
    });
  const hasOneOf = (flags: readonly string[]): Predicate => leaf(sql`s.flags && ${flags}::text[]`, flags, someOf);
  const parts: Predicate[] = [];
  if (some !== undefined) parts.push(hasOneOf(some));
  if (every.length > 0) parts.push(leaf(sql`s.flags @> ${every}::text[]`, every, allOf));
  if (none.length > 0) parts.push(negated(hasOneOf(none)));
  return allOfParts(parts);
}
