import { type Term, textOf } from '../../index/terms/term-kind.js';
import type { DataPath } from '../../index/values/data-path.js';
import { both, type CandidateTerms, either, isNothing, NOTHING, someOf } from './candidate-terms.js';
import { combinedProof, NO_PROOF, type Proof } from './proof.js';

export interface Candidates {
  /** Every match has these. */
  readonly candidateTerms: CandidateTerms;
  /** Only matches have these, provided that `proof` holds. */
  readonly sure: CandidateTerms;
  /** Every match that `sure` does not find has these. */
  readonly unsure: CandidateTerms;
  /** Whether `sure` is equivalent to `candidateTerms`. */
  readonly decides: boolean;
  readonly proof: Proof;
  /** The fields of matches that are not sure; absent: any. */
  readonly mayMatchIn?: readonly DataPath[];
}

export const NO_CANDIDATES: Candidates = {
  candidateTerms: NOTHING,
  sure: NOTHING,
  unsure: NOTHING,
  decides: true,
  proof: NO_PROOF,
};

/** They match if terms of their kind express the condition exactly. */
export function oneOf(terms: readonly Term[]): Candidates {
  const countable = terms.filter(({ isCountable }) => isCountable);
  return {
    candidateTerms: someOf(terms.map(({ hash }) => hash)),
    sure: someOf(countable.map(({ hash }) => hash)),
    unsure: someOf(terms.filter(({ isCountable }) => !isCountable).map(({ hash }) => hash)),
    decides: countable.length === terms.length,
    proof: { terms: countable.map((term) => ({ hash: term.hash, text: textOf(term) })), doubts: [] },
  };
}

export const unsure = (candidateTerms: CandidateTerms): Candidates => ({
  candidateTerms,
  sure: NOTHING,
  unsure: candidateTerms,
  decides: isNothing(candidateTerms),
  proof: NO_PROOF,
});

export const unsureOneOf = (terms: readonly Term[]): Candidates => unsure(oneOf(terms).candidateTerms);

export const ANY_RECORD: Candidates = unsure({ kind: 'none' });

/** Undefined `terms` are too many to be named. */
export const oneOfOrAny = (terms: readonly Term[] | undefined): Candidates =>
  terms === undefined ? ANY_RECORD : oneOf(terms);

export const eitherOf = (alternatives: readonly Candidates[]): Candidates => ({
  candidateTerms: either(alternatives.map(({ candidateTerms }) => candidateTerms)),
  sure: either(alternatives.map(({ sure }) => sure)),
  unsure: either(alternatives.map((one) => one.unsure)),
  decides: alternatives.every(({ decides }) => decides),
  proof: combinedProof(alternatives.map(({ proof }) => proof)),
});

export const inSomeField = (fields: ReadonlyMap<DataPath, Candidates>): Candidates => ({
  ...eitherOf([...fields.values()]),
  mayMatchIn: [...fields].filter(([, { decides }]) => !decides).map(([path]) => path),
});

export const apart = (candidates: Candidates): { readonly sure: Candidates; readonly others: Candidates } => ({
  sure: { ...candidates, candidateTerms: candidates.sure, unsure: NOTHING, decides: true },
  others: unsure(candidates.unsure),
});

/** While the hash `doubt` is in doubt, records with each of the parts need not match. */
export function bothOf(parts: readonly Candidates[], doubt: bigint): Candidates {
  if (parts.some(({ candidateTerms }) => isNothing(candidateTerms))) return NO_CANDIDATES;
  const candidateTerms = both(parts.map((part) => part.candidateTerms));
  const decides = parts.every((part) => part.decides);
  return {
    candidateTerms,
    sure: parts.some((part) => isNothing(part.sure)) ? NOTHING : both(parts.map((part) => part.sure)),
    unsure: decides ? NOTHING : candidateTerms,
    decides,
    proof: combinedProof([...parts.map(({ proof }) => proof), { terms: [], doubts: [doubt] }]),
  };
}
