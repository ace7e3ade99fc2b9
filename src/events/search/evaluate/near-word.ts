import { Alignment, allowedEdits, codePointsOf } from '../../index/near-words/optimal-string-alignment.js';
import { wordsOf } from '../../index/values/fold.js';
import { isFindable } from '../../index/terms/findable-word.js';

/**
 * Whether each word of the term is near one of `words` (S-11); undefined for a term without words, which is near
 * nothing.
 */
export function nearTest(term: string): ((words: readonly string[]) => boolean) | undefined {
  const searched = wordsOf(term).map((word) => alignmentTo(word));
  if (searched.length === 0) return undefined;
  return (words) => searched.every((alignment) => words.some((word) => isNear(word, alignment)));
}

/**
 * Whether each word of the one with fewer words, the term or `words`, is near a word of the other (E-9); with as many,
 * either may be the one. The words of the term count as the searched ones both times.
 */
export function nearEitherWay(term: string): (words: readonly string[]) => boolean {
  const searched = [...new Set(wordsOf(term))].map((word) => alignmentTo(word));
  return (all) => {
    const words = [...new Set(all)];
    if (words.length === 0 || searched.length === 0) return false;
    const isFound = (): boolean => searched.every((alignment) => words.some((word) => isNear(word, alignment)));
    const finds = (): boolean => words.every((word) => searched.some((alignment) => isNear(word, alignment)));
    return (searched.length <= words.length && isFound()) || (words.length <= searched.length && finds());
  };
}

function alignmentTo(word: string): Alignment {
  const points = codePointsOf(word);
  return new Alignment(points, allowedEdits(points.length));
}

/** Compares code point by code point without a copy: most words fail at their second letter. */
function isNear(word: string, alignment: Alignment): boolean {
  let length = 0;
  for (let at = 0; at < word.length; at++) {
    const point = word.codePointAt(at) ?? 0;
    if (point > 0xffff) at++;
    if (!alignment.take(++length, point)) return false;
  }
  return alignment.edits(length) <= alignment.most && isFindable(word);
}
