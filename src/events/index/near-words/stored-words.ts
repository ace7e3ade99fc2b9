import type { SearchTurn } from './search-turn.js';
import { type BlockProbe, type FoundBlocks, probe, type ProbedDatabase } from './block-probe.js';
import type { FoundWord } from './found-word.js';
import { type NumbersInBlocks, triedLetters } from './near-prefixes.js';
import { WordSearch } from './word-search.js';

export interface WordInBlocks {
  readonly word: string;
  /** Undefined: none can be near. */
  readonly numbers: NumbersInBlocks | undefined;
  /** Sort letters, each once; undefined: none can be near. */
  readonly nameLetters: string | undefined;
}

/**
 * Exactly the near words in blocks (S-11), at each path. A word takes some hundred look-ups, all in two statements,
 * plus a few for dense prefixes; the number of stored words is irrelevant.
 */
export async function storedWordsNear(
  reader: ProbedDatabase,
  asked: readonly WordInBlocks[],
  turn: SearchTurn,
): Promise<ReadonlyMap<string, readonly FoundWord[]>> {
  const searches = asked.flatMap(({ word, numbers, nameLetters }) => [
    ...(numbers === undefined ? [] : [new WordSearch(word, { kind: 'numbers', ...triedLetters(word, numbers) })]),
    ...(nameLetters === undefined ? [] : [new WordSearch(word, { kind: 'names', letters: Array.from(nameLetters) })]),
  ]);
  const beginnings = searches.flatMap((search) => search.beginnings);
  const begins = await probe(reader, beginnings, { for: 'begins', signal: turn.signal });
  let left: Asking[] = [];
  for (const search of searches) {
    left.push({ search, probes: search.prefixes(begins) });
    if (turn.isOver) await turn.next();
  }
  while (left.length > 0) {
    const probes = left.flatMap((one) => one.probes);
    left = await answered(left, await probe(reader, probes, { for: 'entries', signal: turn.signal }), turn);
  }
  const found = new Map<string, FoundWord[]>(asked.map(({ word }) => [word, []]));
  for (const search of searches) found.get(search.word)?.push(...search.found);
  return found;
}

interface Asking {
  readonly search: WordSearch;
  readonly probes: readonly BlockProbe[];
}

/** Resolves with the searches that need further probes. */
async function answered(asking: readonly Asking[], blocks: FoundBlocks, turn: SearchTurn): Promise<Asking[]> {
  const left: Asking[] = [];
  for (const { search, probes } of asking) {
    const next: BlockProbe[] = [];
    for (const one of probes) {
      next.push(...search.read(one, blocks.of(one)));
      if (turn.isOver) await turn.next();
    }
    if (next.length > 0) left.push({ search, probes: next });
  }
  return left;
}
