import { metadataTerm } from '../../index/terms/metadata-terms.js';
import { type Sql, sql } from '../../../kernel/sql/sql.js';
import { allOf, type CandidateTerms, someOf } from './candidate-terms.js';
import { allOfParts, negated, type Predicate, rowLeaf } from './predicate.js';
import { proofOfMetadata } from './proof-of-metadata.js';

/** An empty `anyOf` matches nothing (S-6). */
export interface FlagsWanted {
  readonly anyOf?: readonly string[];
  readonly noneOf?: readonly string[];
  readonly allOf?: readonly string[];
}

/** Never NULL: a record always has a list of flags. */
export function predicateOfFlags({ anyOf: some, noneOf: none = [], allOf: every = [] }: FlagsWanted): Predicate {
  const parts: Predicate[] = [];
  if (some !== undefined) parts.push(hasOneOf(some));
  if (every.length > 0) parts.push(leaf(sql`s.flags @> ${every}::text[]`, allOf(every.map(flagTerm)), every));
  if (none.length > 0) parts.push(negated(hasOneOf(none)));
  return allOfParts(parts);
}

const hasOneOf = (flags: readonly string[]): Predicate =>
  leaf(sql`s.flags && ${flags}::text[]`, someOf(flags.map(flagTerm)), flags);

const leaf = (condition: Sql, candidateTerms: CandidateTerms, flags: readonly string[]): Predicate =>
  rowLeaf({ condition, candidateTerms, decides: true, proof: proofOfMetadata('flag', flags), index: 'none' });

const flagTerm = (flag: string): bigint => metadataTerm('flag', flag);
