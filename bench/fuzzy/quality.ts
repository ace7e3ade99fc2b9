import { Prng } from '../../demo/prng.js';
import type { NearWord } from '../../src/events/index/terms/near-words.js';
import { readVocabulary } from '../../src/events/index/terms/read-vocabulary.js';
import { pathIdsOf, vocabularyInsertions } from '../../src/events/index/terms/write-vocabulary.js';
import { fieldOf } from '../../src/events/index/values/data-path.js';
import { inGroupsOf } from '../../src/kernel/domain/in-groups-of.js';
import { oneStatement, sql } from '../../src/kernel/sql/sql.js';
import type { Database } from '../../src/platform/database/pools/database.js';
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
  /** The words, their paths and their keys, with indexes. */
  readonly megabytes: number;
  readonly writeSeconds: number;
}

const SEARCHED = 300;
const PATH = fieldOf('child.name');
const REPEATS = 5;
const AT_ONCE = 1_000;
const NOTHING = { nearInEachField: new Set<string>(), exact: new Set<string>(), aspects: new Set<never>() };

/**
 * How well and how fast words near a searched one are found among so many names of a nation, beside a brute force that
 * tries every word by the textbook.
 */
export async function fuzzyQuality(database: Database, most: number): Promise<FuzzyFound> {
  const words = drawWords(most);
  const began = performance.now();
  for (const some of inGroupsOf(words, AT_ONCE)) {
    const paths = [{ path: PATH, isField: true, words: new Set(some), aspects: new Set<never>() }];
    await database.transaction(async (transaction) => {
      const statement = oneStatement(vocabularyInsertions([{ paths }], await pathIdsOf(transaction, [{ paths }])));
      if (statement !== undefined) await transaction.query(statement);
    });
  }
  const writeSeconds = (performance.now() - began) / 1_000;
  await database.patient.query(sql`vacuum analyze fuzzy_key`);
  await database.patient.query(sql`vacuum analyze fuzzy_word`);
  const [size] = await database.query<{ bytes: string }>(sql`
    select pg_total_relation_size('fuzzy_key') + pg_total_relation_size('fuzzy_word') as bytes`);
  const nearTo = async (word: string): Promise<readonly NearWord[]> => {
    const asked = { ...NOTHING, paths: new Set([PATH]), near: new Set([word]) };
    const { dictionary } = await database.snapshot((snapshot) => readVocabulary(snapshot, asked));
    return dictionary.at(PATH, word);
  };

  const prng = new Prng(2, 'respelling');
  const searched = Array.from({ length: SEARCHED }, (_, at) => withEdits(prng, prng.pickByRank(words), at % 3));
  const [times, bruteForceTimes, nears]: number[][] = [[], [], []];
  let [expected, right, returned] = [0, 0, 0];
  // The first searches are slower than all that follow.
  for (const word of searched) await nearTo(word);
  for (const word of searched) {
    for (let repeat = 0; repeat < REPEATS; repeat++) {
      const asked = performance.now();
      await nearTo(word);
      times?.push(performance.now() - asked);
    }
    const near = await nearTo(word);
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
    megabytes: Number(size?.bytes) / 2 ** 20,
    writeSeconds,
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
