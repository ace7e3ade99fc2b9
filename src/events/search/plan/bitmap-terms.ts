import type { CandidateTerms } from '../predicate/candidate-terms.js';
import { leavesOf, type Predicate } from '../predicate/predicate.js';

/** The terms and areas whose bitmaps can count. */
export const bitmapTermsOf = (predicate: Predicate): readonly bigint[] =>
  leavesOf(predicate).flatMap((leaf) => {
    if (leaf.kind === 'row' && leaf.bitmap !== undefined) return [leaf.bitmap];
    return leaf.decides ? termsOfCandidates(leaf.candidateTerms) : [];
  });

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
