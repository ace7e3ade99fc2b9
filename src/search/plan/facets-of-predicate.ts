import type { Narrowing } from '../predicate/narrowing.js';
import type { Predicate } from '../predicate/predicate.js';
import { leavesOf } from '../predicate/predicate.js';
import type { Proof } from '../predicate/proof.js';
import { bothProofs } from '../predicate/proof.js';

/** The terms of a condition that bitmaps may count, and what must be so for them to decide. */
export interface FacetsOfPredicate {
  readonly terms: readonly bigint[];
  readonly proof: Proof;
}

/** The terms of all conditions that terms decide. */
export function facetsOf(predicate: Predicate): FacetsOfPredicate {
  const deciding = leavesOf(predicate).filter(({ decides }) => decides);
  return {
    terms: deciding.flatMap(({ narrowing }) => termsOfNarrowing(narrowing)),
    proof: bothProofs(deciding.map(({ proof }) => proof)),
  };
}

function termsOfNarrowing(narrowing: Narrowing): readonly bigint[] {
  switch (narrowing.kind) {
    case 'none':
      return [];
    case 'someOf':
    case 'allOf':
      return narrowing.terms;
    case 'someOfAll':
      return narrowing.groups.flat();
    case 'both':
    case 'either':
      return narrowing.parts.flatMap(termsOfNarrowing);
  }
}
