import type { Sql } from '../../../sql/sql.js';
import { all, any } from '../../../sql/sql.js';
import type { Narrowing } from '../narrowing.js';
import { compileNarrowing, compileTriedNarrowing, isNothing } from '../narrowing.js';
import type { Proof } from '../proof.js';
import { compileProof } from '../proof.js';
import type { SearchContext } from '../search-context.js';
import type { Candidates } from './candidates.js';

/** A condition on the declaration of `s`, a row of `event_search`. It is never NULL where a NOT could make it true. */
export interface DataLeaf {
  readonly kind: 'data';
  /** The terms that every match has. */
  readonly narrowing: Narrowing;
  /** Whether every record that has them is a match, provided that `proof` holds: the document need not be read then. */
  readonly decides: boolean;
  /** What must be so for terms to tell matches. */
  readonly proof: Proof;
  /** What is left to be tried on a record that has the terms, where trusted terms do not decide: some 30 us a record. */
  readonly rest: Sql | undefined;
}

/** The condition that has these candidates: `recheck` is what it says of the document. */
export function leafOf(
  { narrowing, sure, decides, proof }: Candidates,
  recheck: () => Sql,
  { trustsTerms = false }: Pick<SearchContext, 'trustsTerms'>,
): DataLeaf {
  const rest = (): Sql | undefined => {
    if (decides) return trustsTerms ? undefined : any([compileProof(proof), recheck()]);
    if (isNothing(sure)) return recheck();
    // Where some candidates are sure to match, their documents need not be read either.
    const isSure = compileTriedNarrowing(sure);
    return any([trustsTerms ? isSure : all([compileProof(proof), isSure]), recheck()]);
  };
  return { kind: 'data', narrowing, decides, proof, rest: rest() };
}

/** The condition of these candidates, which its terms decide, in a search that trusts them. */
export const trustedLeafOf = ({ narrowing, proof }: Candidates): DataLeaf => ({
  kind: 'data',
  narrowing,
  decides: true,
  proof,
  rest: undefined,
});

/** The condition as SQL: found by its terms, and tried on the document where they do not decide. */
export const compileDataLeaf = ({ narrowing, rest }: DataLeaf): Sql => withRest(compileNarrowing(narrowing), rest);

/** The same, for rows that are tried one by one. */
export const compileTriedDataLeaf = ({ narrowing, rest }: DataLeaf): Sql =>
  withRest(compileTriedNarrowing(narrowing), rest);

const withRest = (hasTerms: Sql, rest: Sql | undefined): Sql => (rest === undefined ? hasTerms : all([hasTerms, rest]));
