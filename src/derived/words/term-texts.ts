import type { Term } from '../terms/term-kind.js';
import { TermKind, textOf } from '../terms/term-kind.js';

/** Terms as plain data, which threads exchange: their texts, each once, and their hashes. */
export interface TermTexts {
  readonly terms: readonly string[];
  readonly termHashes: readonly bigint[];
}

/** Texts of terms, with their prefixes. */
const WHOLE = new TermKind('', 'always');

/** Terms as plain data. */
export function termTextsOf(found: readonly Term[]): TermTexts {
  const terms = new Map(found.map((term) => [textOf(term), term.hash]));
  return { terms: [...terms.keys()], termHashes: [...terms.values()] };
}

/** For `writeTerms`, which looks at their texts alone. */
export const termsOfTexts = ({ terms, termHashes }: TermTexts): readonly Term[] =>
  terms.flatMap((value, at) => {
    const hash = termHashes[at];
    return hash === undefined ? [] : [{ kind: WHOLE, value, hash, isCountable: true }];
  });
