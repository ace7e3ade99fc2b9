import type { DictionaryFollower } from '../../src/events/index/near-words/dictionary-follower.js';
import type { NearWord } from '../../src/events/index/near-words/fuzzy-dictionary.js';
import { SearchTurn } from '../../src/events/index/near-words/search-turn.js';

/** The words of fields that a search of that process finds near the word. */
export async function wordsNear(follower: DictionaryFollower, word: string): Promise<readonly NearWord[]> {
  const { dictionary } = await follower.caughtUp();
  await dictionary.lookUp?.([{ word }], new SearchTurn());
  return dictionary.inEachField(word).words;
}
