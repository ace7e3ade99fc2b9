import type { Proof } from '../compile/proof.js';
import { bothProofs, NO_PROOF } from '../compile/proof.js';
import type { Narrowing } from '../compile/narrowing.js';
import type { Predicate } from '../compile/predicate.js';

/** The terms of a condition that bitmaps may count, and what must be so for them to decide. */
export interface FacetsOfPredicate {
  readonly terms: readonly bigint[];
  readonly proof: Proof;
}

export function facetsOf(predicate: Predicate): FacetsOfPredicate {
  switch (predicate.kind) {
    case 'all':
    case 'any':
      return together(predicate.parts.map(facetsOf));
    case 'not':
      return facetsOf(predicate.part);
    case 'row':
    case 'data':
      return predicate.decides
        ? { terms: termsOfNarrowing(predicate.narrowing), proof: predicate.proof }
        : { terms: [], proof: NO_PROOF };
  }
}

const together = (facets: readonly FacetsOfPredicate[]): FacetsOfPredicate => ({
  terms: facets.flatMap(({ terms }) => terms),
  proof: bothProofs(facets.map(({ proof }) => proof)),
});

function termsOfNarrowing(narrowing: Narrowing): readonly bigint[] {
  switch (narrowing.kind) {
    case 'none':
      return [];
    case 'someOf':
    case 'allOf':
      return narrowing.terms;
    case 'both':
    case 'either':
      return narrowing.parts.flatMap(termsOfNarrowing);
  }
}
