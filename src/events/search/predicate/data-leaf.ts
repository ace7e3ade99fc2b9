import { all, type Sql } from '../../../kernel/sql/sql.js';
import { type CandidateTerms, foundByTerms, lookUpTerm, recheckCandidateTerms } from './candidate-terms.js';
import { allFound, foundBy, type RowSource } from './row-source.js';

/** On the declaration of `s`, a row of `event_search`. Never NULL where a NOT could make that true. */
export interface DataLeaf {
  readonly kind: 'data';
  readonly isFindable: boolean;
  /** Every match has these. */
  readonly candidateTerms: CandidateTerms;
  /** Whether every record that has the terms matches. */
  readonly decides: boolean;
  /** The recheck where terms do not decide: some 30 us a record. */
  readonly rest: Sql | undefined;
}

export const dataLeaf = (candidateTerms: CandidateTerms, rest?: Sql): DataLeaf => ({
  kind: 'data',
  candidateTerms,
  decides: rest === undefined,
  rest,
  isFindable: candidateTerms.kind !== 'none',
});

export const foundByLeaf = ({ candidateTerms, rest }: DataLeaf): RowSource =>
  rest === undefined ? foundByTerms(candidateTerms) : allFound([foundByTerms(candidateTerms), foundBy(rest)]);

export const compileLookUp = ({ rest }: DataLeaf, term: bigint): Sql => withRest(lookUpTerm(term), rest);

export const recheckDataLeaf = ({ candidateTerms, rest }: DataLeaf): Sql =>
  withRest(recheckCandidateTerms(candidateTerms), rest);

const withRest = (hasTerms: Sql, rest: Sql | undefined): Sql => (rest === undefined ? hasTerms : all([hasTerms, rest]));
