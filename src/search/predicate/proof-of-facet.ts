import { textOf } from '../../derived/terms/term-kind.js';
import type { Facet } from '../../derived/terms/terms.js';
import { termOfFacet } from '../../derived/terms/terms.js';
import type { Proof } from './proof.js';

/** What must be so for the terms of these values of a facet to decide. */
export const proofOfFacet = (facet: Facet, values: readonly string[]): Proof => ({
  terms: values.map((value) => {
    const term = termOfFacet(facet, value);
    return { hash: term.hash, text: textOf(term) };
  }),
  doubts: [],
});
