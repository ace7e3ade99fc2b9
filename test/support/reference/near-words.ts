import { atOnce } from '../../../src/platform/queue/time-slice.js';
import type { WordsNear } from '../../../src/events/index/terms/near-words.js';
import { collectDataTerms, CollectedTerms } from '../../../src/events/index/terms/terms-of-record.js';
import { factsOf } from '../../../src/events/index/values/facts.js';
import { KnownVocabulary } from '../../../src/events/index/terms/known-vocabulary.js';
import { type SearchContext, TermRoom } from '../../../src/events/search/predicate/search-context.js';
import { TERMS } from '../terms.js';
import type { DataPath } from '../../../src/events/index/values/data-path.js';
import { KnownShapes, type PathVocabulary } from '../../../src/events/index/terms/vocabulary.js';
import type { Declaration } from '../../../src/kernel/domain/event-record.js';

/** The edits of optimal string alignment between two words, by the textbook. */
export function editsBetween(left: string, right: string): number {
  const [a, b] = [Array.from(left), Array.from(right)];
  const edits = (i: number, j: number): number => table[i]?.[j] ?? Infinity;
  const table: number[][] = [];
  for (let i = 0; i <= a.length; i++) {
    table.push([]);
    for (let j = 0; j <= b.length; j++) {
      const replaced = edits(i - 1, j - 1) + (a[i - 1] === b[j - 1] ? 0 : 1);
      const exchanged = a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1] ? edits(i - 2, j - 2) + 1 : Infinity;
      const fewest = Math.min(edits(i - 1, j) + 1, edits(i, j - 1) + 1, replaced, exchanged);
      table[i]?.push(i === 0 && j === 0 ? 0 : fewest);
    }
  }
  return edits(a.length, b.length);
}

/** Three digits, or an address. */
const isExact = (word: string): boolean => word.includes('@') || (word.match(/[0-9]/g) ?? []).length >= 3;

/** The edits between a searched word and a near one (S-11); undefined when it is not near. */
export function editsToNear(searched: string, word: string): number | undefined {
  if (searched === word) return 0;
  if (isExact(searched) || isExact(word)) return undefined;
  const length = Array.from(searched).length;
  const allowed = length <= 2 ? 0 : length <= 5 ? 1 : 2;
  // Spares the table.
  if (Math.abs(length - Array.from(word).length) > allowed) return undefined;
  const edits = editsBetween(searched, word);
  return edits <= allowed ? edits : undefined;
}

/** What searches know of the declarations given: a dictionary that tries every word of them, and their shapes. */
export function knownOf(
  declarations: readonly Declaration[],
): Pick<SearchContext, 'dictionary' | 'shapes' | 'terms' | 'room'> {
  const all = declarations.flatMap((declaration) => {
    const found = new CollectedTerms(TERMS, new KnownVocabulary());
    atOnce(collectDataTerms(factsOf(declaration), found));
    return found.vocabulary.paths;
  });
  const near = (searched: string, words: ReadonlySet<string>): { word: string; edits: number }[] =>
    // No dictionary has words that are compared exactly.
    [...words, ...(isExact(searched) ? [searched] : [])].flatMap((word) => {
      const edits = editsToNear(searched, word);
      return edits === undefined ? [] : [{ word, edits }];
    });
  const shapes = new KnownShapes(
    [...new Set(all.map(({ path, isField }) => `${isField ? 'f' : 'i'}${path}`))].map((key) => {
      const [isField, path] = [key.startsWith('f'), key.slice(1) as DataPath];
      const here = all.filter((at) => at.path === path && at.isField === isField);
      return { path, isField, aspects: [...new Set(here.flatMap(({ aspects }) => [...aspects]))] };
    }),
  );
  const dictionary: WordsNear = {
    at: (path, word) => near(word, wordsAt(all.filter((found) => found.path === path))),
    inEachField: (word) => {
      const fields = all.filter(({ isField }) => isField);
      const byField = new Map(
        [...new Set(fields.map(({ path }) => path))]
          .map((path) => [path, near(word, wordsAt(fields.filter((found) => found.path === path)))] as const)
          .filter(([, found]) => found.length > 0),
      );
      return { words: near(word, wordsAt(fields)), byField };
    },
    fieldsOf: (word) =>
      new Set(all.flatMap(({ isField, path, words }) => (isField && (isExact(word) || words.has(word)) ? [path] : []))),
  };
  return { dictionary, shapes, terms: TERMS, room: new TermRoom() };
}

const wordsAt = (found: readonly PathVocabulary[]): ReadonlySet<string> =>
  new Set(found.flatMap(({ words }) => [...words]));
