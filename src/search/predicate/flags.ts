import { facetTerm } from '../../derived/terms/terms.js';
import type { Sql } from '../../sql/sql.js';
import { sql } from '../../sql/sql.js';
import type { Narrowing } from './narrowing.js';
import { allOf, someOf } from './narrowing.js';
import type { Predicate } from './predicate.js';
import { allOfParts } from './predicate.js';
import { proofOfFacet } from './proof-of-facet.js';

/** Flags of which at least one, none, and each must be there; `anyOf` absent sets no condition, empty it matches nothing (S-6). */
export interface FlagsWanted {
  readonly anyOf?: readonly string[];
  readonly noneOf?: readonly string[];
  readonly allOf?: readonly string[];
}

/** A record always has flags, if only an empty list: none of this is ever NULL. */
export function predicateOfFlags({ anyOf: some, noneOf: none = [], allOf: every = [] }: FlagsWanted): Predicate {
  const parts: Predicate[] = [];
  if (some !== undefined) parts.push(hasOneOf(some));
  if (every.length > 0) parts.push(leaf(sql`s.flags @> ${every}::text[]`, allOf(every, flagTerm), every));
  if (none.length > 0) parts.push({ kind: 'not', part: hasOneOf(none) });
  return allOfParts(parts);
}

const hasOneOf = (flags: readonly string[]): Predicate =>
  leaf(sql`s.flags && ${flags}::text[]`, someOf(flags, flagTerm), flags);

const leaf = (condition: Sql, narrowing: Narrowing, flags: readonly string[]): Predicate => ({
  kind: 'row',
  condition,
  narrowing,
  decides: true,
  proof: proofOfFacet('flag', flags),
  index: 'none',
});

const flagTerm = (flag: string): bigint => facetTerm('flag', flag);
