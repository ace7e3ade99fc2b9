import type { CandidateTerms } from '../predicate/candidate-terms.js';
import type { Predicate } from '../predicate/predicate.js';
import { leavesOf } from '../predicate/predicate.js';
import type { Proof } from '../predicate/proof.js';
import { combinedProof } from '../predicate/proof.js';

/** With the proof that they need. */
export interface BitmapTerms {
  readonly terms: readonly bigint[];
  readonly proof: Proof;
}

export function bitmapTermsOf(predicate: Predicate): BitmapTerms {
  const deciding = leavesOf(predicate).filter(({ decides }) => decides);
  return {
    terms: deciding.flatMap(({ candidateTerms }) => termsOfCandidates(candidateTerms)),
    proof: combinedProof(deciding.map(({ proof }) => proof)),
  };
}

function termsOfCandidates(candidateTerms: CandidateTerms): readonly bigint[] {
  switch (candidateTerms.kind) {
    case 'none':
      return [];
    case 'someOf':
    case 'allOf':
      return candidateTerms.terms;
    case 'someOfAll':
      return candidateTerms.groups.flat();
    case 'both':
    case 'either':
      return candidateTerms.parts.flatMap(termsOfCandidates);
  }
}
