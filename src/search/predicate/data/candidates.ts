import type { Term } from '../../../derived/terms/term-kind.js';
import { textOf } from '../../../derived/terms/term-kind.js';
import type { CandidateTerms } from '../candidate-terms.js';
import { both, either, isNothing, NOTHING, someOf } from '../candidate-terms.js';
import type { Proof } from '../proof.js';
import { combinedProof, NO_PROOF } from '../proof.js';

/** The records that may satisfy a condition on the declaration, by their terms. */
export interface Candidates {
  /** What every match has. */
  readonly candidateTerms: CandidateTerms;
  /** What only matches have, provided that `proof` holds. */
  readonly sure: CandidateTerms;
  /** Whether `sure` is equivalent to `candidateTerms`. */
  readonly decides: boolean;
  readonly proof: Proof;
}

/** No record can match. */
export const NO_CANDIDATES: Candidates = { candidateTerms: NOTHING, sure: NOTHING, decides: true, proof: NO_PROOF };

/** Records that have one of the terms: they match if terms of their kind express the condition exactly. */
export function oneOf(terms: readonly Term[]): Candidates {
  const countable = terms.filter(({ isCountable }) => isCountable);
  return {
    candidateTerms: someOf(terms.map(({ hash }) => hash)),
    sure: someOf(countable.map(({ hash }) => hash)),
    decides: countable.length === terms.length,
    proof: { terms: countable.map((term) => ({ hash: term.hash, text: textOf(term) })), doubts: [] },
  };
}

/** Records that may match according to their terms. */
export const unsure = (candidateTerms: CandidateTerms): Candidates => ({
  candidateTerms,
  sure: NOTHING,
  decides: isNothing(candidateTerms),
  proof: NO_PROOF,
});

/** Records that have one of the terms may match. */
export const unsureOneOf = (terms: readonly Term[]): Candidates => unsure(oneOf(terms).candidateTerms);

/** Any record. */
export const ANY_RECORD: Candidates = unsure({ kind: 'none' });

/** The same, or any record where the terms are too many to be named. */
export const oneOfOrAny = (terms: readonly Term[] | undefined): Candidates =>
  terms === undefined ? ANY_RECORD : oneOf(terms);

/** The candidates of any of the alternatives. */
export const eitherOf = (alternatives: readonly Candidates[]): Candidates => ({
  candidateTerms: either(alternatives.map(({ candidateTerms }) => candidateTerms)),
  sure: either(alternatives.map(({ sure }) => sure)),
  decides: alternatives.every(({ decides }) => decides),
  proof: combinedProof(alternatives.map(({ proof }) => proof)),
});

/** `doubt` is a hash; while it is in doubt, records that have each of the parts need not match. */
export function bothOf(parts: readonly Candidates[], doubt: bigint): Candidates {
  if (parts.some(({ candidateTerms }) => isNothing(candidateTerms))) return NO_CANDIDATES;
  const sure = parts.some((part) => isNothing(part.sure)) ? NOTHING : both(parts.map((part) => part.sure));
  return {
    candidateTerms: both(parts.map(({ candidateTerms }) => candidateTerms)),
    sure,
    decides: parts.every(({ decides }) => decides),
    proof: combinedProof([...parts.map(({ proof }) => proof), { terms: [], doubts: [doubt] }]),
  };
}
