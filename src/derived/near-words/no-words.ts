import type { WordsNear } from './fuzzy-dictionary.js';

/** For searches without a fuzzy condition. */
export const NO_WORDS: WordsNear = { at: () => [], inEachField: () => ({ words: [], byField: new Map() }) };
