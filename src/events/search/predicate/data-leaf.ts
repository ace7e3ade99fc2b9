import { all, any, type Sql } from '../../../kernel/sql/sql.js';
import { type CandidateTerms, foundByTerms, lookUpTerm, recheckCandidateTerms } from './candidate-terms.js';
import { compileProof, type Proof } from './proof.js';
import { allFound, foundBy, type RowSource } from './row-source.js';
import type { SearchContext } from './search-context.js';
import type { Candidates } from './candidates.js';

/** On the declaration of `s`, a row of `event_search`. Never NULL where a NOT could make that true. */
export interface DataLeaf {
  readonly kind: 'data';
  readonly isFindable: boolean;
  /** Every match has these. */
  readonly candidateTerms: CandidateTerms;
  /** Whether every record that has the terms matches, provided that `proof` holds. */
  readonly decides: boolean;
  readonly proof: Proof;
  /** The recheck where trusted terms do not decide: some 30 us a record. */
  readonly rest: Sql | undefined;
}

export const dataLeaf = (given: Omit<DataLeaf, 'kind' | 'isFindable'>): DataLeaf => ({
  kind: 'data',
  ...given,
  isFindable: given.candidateTerms.kind !== 'none',
});

export function leafOf(
  { candidateTerms, decides, proof }: Candidates,
  recheck: () => Sql,
  { trustsTerms = false }: Pick<SearchContext, 'trustsTerms'>,
): DataLeaf {
  const rest = (): Sql | undefined => {
    if (!decides) return recheck();
    return trustsTerms ? undefined : any([compileProof(proof), recheck()]);
  };
  return dataLeaf({ candidateTerms, decides, proof, rest: rest() });
}

/** For a search that trusts terms. */
export const trustedLeafOf = ({ candidateTerms, proof }: Candidates): DataLeaf =>
  dataLeaf({ candidateTerms, decides: true, proof, rest: undefined });

export const foundByLeaf = ({ candidateTerms, rest }: DataLeaf): RowSource =>
  rest === undefined ? foundByTerms(candidateTerms) : allFound([foundByTerms(candidateTerms), foundBy(rest)]);

export const compileLookUp = ({ rest }: DataLeaf, term: bigint): Sql => withRest(lookUpTerm(term), rest);

export const recheckDataLeaf = ({ candidateTerms, rest }: DataLeaf): Sql =>
  withRest(recheckCandidateTerms(candidateTerms), rest);

const withRest = (hasTerms: Sql, rest: Sql | undefined): Sql => (rest === undefined ? hasTerms : all([hasTerms, rest]));
