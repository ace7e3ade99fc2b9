import type { Sql } from '../../../sql/sql.js';
import { all, sql } from '../../../sql/sql.js';
import { facetTerm } from '../terms.js';
import { allOf, narrowed, someOf } from './narrowing.js';

/** Flags of which at least one, none, and each must be there; `anyOf` absent sets no condition, empty it matches nothing (S-6). */
export interface FlagsWanted {
  readonly anyOf?: readonly string[];
  readonly noneOf?: readonly string[];
  readonly allOf?: readonly string[];
}

/** A record always has flags, if only an empty list: none of this is ever NULL. */
export function compileFlags({ anyOf: some, noneOf: none = [], allOf: every = [] }: FlagsWanted): Sql {
  const parts: Sql[] = [];
  if (some !== undefined) parts.push(narrowed(someOf(some, flagTerm), sql`s.flags && ${some}::text[]`));
  if (every.length > 0) parts.push(narrowed(allOf(every, flagTerm), sql`s.flags @> ${every}::text[]`));
  if (none.length > 0) parts.push(sql`not s.flags && ${none}::text[]`);
  return all(parts);
}

const flagTerm = (flag: string): bigint => facetTerm('flag', flag);
