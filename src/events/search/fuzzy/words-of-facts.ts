import type { Fact, Facts } from '../facts.js';
import type { DataPath } from '../terms.js';
import { DATA, memberOf } from '../terms.js';
import type { WordPath } from './fuzzy-dictionary.js';

/** Words that stand at one path. */
export interface WordsAtPath extends WordPath {
  readonly words: ReadonlySet<string>;
}

/**
 * Longer words are in no dictionary, so that fuzzy conditions do not find them: an index of Postgres does not take much
 * longer ones. A term of 256 code points (S-4) is near such a word only when ligatures by the dozen are folded in it.
 */
const MOST_BYTES = 2_400;

/** The words of all values that fuzzy conditions can find, by where they stand (S-10). */
export function wordsOfFacts(facts: Facts): readonly WordsAtPath[] {
  const found = new Map<string, WordsAtPath & { readonly words: Set<string> }>();
  addMembers(found, facts, DATA, true);
  return [...found.values()];
}

/** The words of one fact: a name's or a text's, never both. */
const wordsOfFact = ({ w, q }: Fact): readonly string[] => w ?? q ?? [];

function addMembers(
  found: Map<string, WordsAtPath & { readonly words: Set<string> }>,
  facts: Facts,
  parent: DataPath,
  isField: boolean,
): void {
  for (const [key, alternatives] of Object.entries(facts)) {
    const path = memberOf(parent, key);
    // A key with a slash in it can spell the path of a member.
    const id = `${isField} ${path}`;
    const { words } = found.get(id) ?? { words: new Set<string>() };
    for (const fact of alternatives) {
      for (const word of wordsOfFact(fact)) if (Buffer.byteLength(word) <= MOST_BYTES) words.add(word);
      if (fact.m !== undefined) addMembers(found, fact.m, path, false);
    }
    if (words.size > 0) found.set(id, { path, isField, words });
  }
}
