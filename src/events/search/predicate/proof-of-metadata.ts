import { type MetadataField, termOfMetadata } from '../../index/terms/metadata-terms.js';
import { textOf } from '../../index/terms/term-kind.js';
import type { Proof } from './proof.js';

export const proofOfMetadata = (field: MetadataField, values: readonly string[]): Proof => ({
  terms: values.map((value) => {
    const term = termOfMetadata(field, value);
    return { hash: term.hash, text: textOf(term) };
  }),
  doubts: [],
});
