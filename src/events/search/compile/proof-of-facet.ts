import type { Facet } from '../terms.js';
import { facetTerm } from '../terms.js';
import type { Proof } from './data-leaf.js';

/** What must be so for the terms of these values of a facet to decide. */
export const proofOfFacet = (facet: Facet, values: readonly string[]): Proof => ({
  terms: values.map((value) => ({ hash: facetTerm(facet, value), text: `${facet}=${value}` })),
  doubts: [],
});
