import type { NearWord } from '../../src/events/index/terms/near-words.js';
import { type AskedVocabulary, readVocabulary } from '../../src/events/index/terms/read-vocabulary.js';
import type { Queryable } from '../../src/platform/database/connection/queryable.js';

const NOTHING: AskedVocabulary = {
  paths: new Set(),
  near: new Set(),
  nearInEachField: new Set(),
  exact: new Set(),
  aspects: new Set(),
};

/** The words of fields that a search finds near the word. */
export async function wordsNear(reader: Queryable, word: string): Promise<readonly NearWord[]> {
  const { dictionary } = await readVocabulary(reader, { ...NOTHING, nearInEachField: new Set([word]) });
  return dictionary.inEachField(word).words;
}
