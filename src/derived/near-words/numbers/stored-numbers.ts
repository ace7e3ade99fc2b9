import { Alignment, allowedEdits } from '../optimal-string-alignment.js';
import type { Pace } from '../pace.js';
import type { FoundNumber } from './found-number.js';
import { END_OF_WORD, lettersAfter, prefixesOfNear } from './number-prefixes.js';
import type { NumberBlock, NumberProbe, ProbedDatabase } from './number-probe.js';
import { isDense, probe } from './number-probe.js';

const DIGITS = Array.from('0123456789');

/**
 * All numbers and addresses in blocks that are near the word (S-11), in each path, and no others. It takes some
 * hundreds of look-ups in an index, and a few more statements where so many words begin alike that they would be read
 * in vain; never longer because there are more words elsewhere.
 */
export async function storedNumbersNear(
  reader: ProbedDatabase,
  word: string,
  pace: Pace,
): Promise<readonly FoundNumber[]> {
  const searched = Array.from(word);
  const most = allowedEdits(searched.length);
  // Numbers and addresses have at least three letters.
  if (most === 0) return [];
  const search = new NumberSearch(searched, most);
  let probes = prefixesOfNear(searched, most, most === 1 ? 0 : await splitOf(reader, searched, pace.signal));
  while (probes.length > 0) {
    const blocks = await probe(reader, probes, pace.signal);
    for (const block of blocks) {
      search.readBlock(block);
      if (pace.isOver) await pace.turn();
    }
    const firsts = firstsByDirection(blocks);
    const next: NumberProbe[] = [];
    for (const one of probes) {
      if (isDense(one, firsts[one.direction])) next.push(...search.longer(one));
      if (pace.isOver) await pace.turn();
    }
    probes = next;
  }
  return [...search.found.values()];
}

/**
 * Where to split a word: as many words begin like its first part as end like the other. Numbers of a country may all
 * begin alike, and halves would then tell nothing.
 */
async function splitOf(
  reader: ProbedDatabase,
  searched: readonly string[],
  signal: AbortSignal | undefined,
): Promise<number> {
  const reversed = searched.toReversed();
  const beginnings = (direction: 'f' | 'r', letters: readonly string[]): NumberProbe[] =>
    Array.from({ length: searched.length }, (_, at) => ({ direction, prefix: letters.slice(0, at + 1).join('') }));
  const [forward, backward] = [beginnings('f', searched), beginnings('r', reversed)];
  const firsts = firstsByDirection(await probe(reader, [...forward, ...backward], signal));
  const dense = (probes: readonly NumberProbe[], found: readonly string[]): number =>
    probes.filter((one) => isDense(one, found)).length;
  const middle = (dense(forward, firsts.f) + searched.length - dense(backward, firsts.r)) / 2;
  return Math.min(Math.max(Math.round(middle), 2), searched.length - 2);
}

function firstsByDirection(blocks: readonly NumberBlock[]): Record<'f' | 'r', string[]> {
  const firsts: Record<'f' | 'r', string[]> = { f: [], r: [] };
  for (const { direction, first } of blocks) firsts[direction].push(first);
  // Of several statements, each has its own order.
  for (const each of [firsts.f, firsts.r]) each.sort();
  return firsts;
}

/** Collects what is near one word. */
class NumberSearch {
  readonly found = new Map<string, FoundNumber>();
  private readonly read = new Set<string>();
  private readonly alignments: Record<'f' | 'r', Alignment>;

  constructor(
    private readonly searched: readonly string[],
    most: number,
  ) {
    const points = Uint32Array.from(searched, (letter) => letter.codePointAt(0) ?? 0);
    this.alignments = { f: new Alignment(points, most), r: new Alignment(points.toReversed(), most) };
  }

  readBlock({ direction, first, entries }: NumberBlock): void {
    const key = direction + first;
    if (this.read.has(key)) return;
    this.read.add(key);
    for (let start = 0; start < entries.length;) {
      const end = entries.indexOf('\n', start);
      const next = end === -1 ? entries.length : end;
      this.readEntry(direction, entries, start, next);
      start = next + 1;
    }
  }

  /** What is in the range of a probe, in parts: each letter that may follow in a near word. */
  longer({ direction, prefix }: NumberProbe): readonly NumberProbe[] {
    // What is exactly the prefix is in the block before the range.
    if (prefix.includes(END_OF_WORD)) return DIGITS.map((digit) => ({ direction, prefix: prefix + digit }));
    const alignment = this.alignments[direction];
    const { length } = prefix;
    for (let at = 0; at < length; at++) if (!alignment.take(at + 1, prefix.charCodeAt(at))) return [];
    const word = direction === 'f' ? this.searched : this.searched.toReversed();
    const next = lettersAfter(prefix, word).filter((letter) => alignment.take(length + 1, letter.charCodeAt(0)));
    const ends = alignment.edits(length) <= alignment.most ? [END_OF_WORD] : [];
    return [...ends, ...next].map((letter) => ({ direction, prefix: prefix + letter }));
  }

  private readEntry(direction: 'f' | 'r', entries: string, start: number, end: number): void {
    const alignment = this.alignments[direction];
    let at = start;
    for (; entries.charCodeAt(at) !== SPACE; at++) {
      if (!alignment.take(at - start + 1, entries.charCodeAt(at))) return;
    }
    const edits = alignment.edits(at - start);
    if (edits > alignment.most) return;
    const stored = entries.slice(start, at);
    const word = direction === 'f' ? stored : Array.from(stored).reverse().join('');
    const pathId = Number(entries.slice(at + 1, end));
    this.found.set(`${pathId} ${word}`, { pathId, word, edits });
  }
}

const SPACE = END_OF_WORD.charCodeAt(0);
