import { Prng } from '../../demo/prng.js';
import { FuzzyDictionary } from '../../src/events/index/near-words/fuzzy-dictionary.js';
import { fieldOf } from '../../src/events/index/values/data-path.js';
import { fold } from '../../src/events/index/values/fold.js';
import { editsToNear } from '../../test/support/reference/near-words.js';
import { drawNameBook } from '../data/name-book.js';
import { withEdits } from '../data/with-edits.js';
import { type Spread, spreadOf } from '../measure/spread.js';

export interface FuzzyFound {
  readonly words: number;
  readonly searched: number;
  readonly recall: number;
  readonly precision: number;
  /** Words near a searched one. */
  readonly near: Spread;
  /** Milliseconds of one expansion. */
  readonly ms: Spread;
  readonly bruteForceMs: Spread;
  readonly dictionaryMegabytes: number;
  readonly buildSeconds: number;
}

const SEARCHED = 300;
const PATH = fieldOf('child.name');
const REPEATS = 5;

/**
 * How well and how fast words near a searched one are found among so many names of a nation, beside a brute force that
 * tries every word by the textbook.
 */
export function fuzzyQuality(most: number): FuzzyFound {
  const words = drawWords(most);
  const began = performance.now();
  const dictionary = new FuzzyDictionary();
  dictionary.addPath(1, { path: PATH, isField: true });
  for (const word of words) dictionary.add(1, word);
  const buildSeconds = (performance.now() - began) / 1_000;

  const prng = new Prng(2, 'respelling');
  const searched = Array.from({ length: SEARCHED }, (_, at) => withEdits(prng, prng.pickByRank(words), at % 3));
  const [times, bruteForceTimes, nears]: number[][] = [[], [], []];
  let [expected, right, returned] = [0, 0, 0];
  // The first searches are slower than all that follow.
  for (const word of searched) dictionary.at(PATH, word);
  for (const word of searched) {
    for (let repeat = 0; repeat < REPEATS; repeat++) {
      const asked = performance.now();
      dictionary.at(PATH, word);
      times?.push(performance.now() - asked);
    }
    const near = dictionary.at(PATH, word);
    const asked = performance.now();
    const truth = new Map(words.flatMap((other) => pairIfNear(word, other)));
    bruteForceTimes?.push(performance.now() - asked);
    expected += truth.size;
    returned += near.length;
    right += near.filter((candidate) => truth.get(candidate.word) === candidate.edits).length;
    nears?.push(truth.size);
  }
  return {
    words: words.length,
    searched: searched.length,
    recall: right / expected,
    precision: right / returned,
    near: spreadOf(nears ?? []),
    ms: spreadOf(times ?? []),
    bruteForceMs: spreadOf(bruteForceTimes ?? []),
    dictionaryMegabytes: dictionary.size.bytes / 2 ** 20,
    buildSeconds,
  };
}

function pairIfNear(searched: string, word: string): (readonly [word: string, edits: number])[] {
  const edits = editsToNear(searched, word);
  return edits === undefined ? [] : [[word, edits]];
}

/** The names of a nation, and then misspelt ones, as a dictionary holds them: folded, each once. */
function drawWords(most: number): readonly string[] {
  const { male, female, surnames } = drawNameBook(1);
  const words = new Set([...male, ...female, ...surnames].map(fold).slice(0, most));
  const names = [...words];
  const prng = new Prng(1, 'respelling');
  while (words.size < most) words.add(withEdits(prng, prng.pickByRank(names), prng.between(1, 2)));
  return [...words];
}
