import { Alignment, allowedEdits, codePointsOf } from './optimal-string-alignment.js';
import type { Answered, BlockProbe, Direction, FoundBlocks, WordBlock } from './block-probe.js';
import type { FoundWord } from './found-word.js';
import { MOST_NAME_LETTERS, nameLettersOf } from './name-letters.js';
import {
  DIGITS,
  END_OF_WORD,
  lettersAfter,
  prefixesOfNames,
  prefixesOfNumbers,
  type TriedLetters,
} from './near-prefixes.js';

const DIRECTIONS = { numbers: ['f', 'r'], names: ['F', 'R'] } as const;

/** `letters`: of stored names, each once. */
type Wanted =
  ({ readonly kind: 'numbers' } & TriedLetters) | { readonly kind: 'names'; readonly letters: readonly string[] };

/** Words of one kind near one word. */
export class WordSearch {
  private readonly foundByKey = new Map<string, FoundWord>();
  private readonly blocksRead = new Set<string>();
  private readonly letters: readonly string[];
  private readonly reversed: readonly string[];
  private readonly most: 0 | 1 | 2;
  private readonly forward: Alignment;
  private readonly backward: Alignment;
  /** Sort letters are ambiguous. */
  private readonly exact: Alignment;

  constructor(
    readonly word: string,
    private readonly wanted: Wanted,
  ) {
    const points = codePointsOf(word);
    this.letters = wanted.kind === 'names' ? nameLettersOf(word) : Array.from(word);
    this.reversed = this.letters.toReversed();
    this.most = allowedEdits(this.letters.length);
    const sorted = codePointsOf(this.letters.join(''));
    this.forward = new Alignment(sorted, this.most);
    this.backward = new Alignment(sorted.toReversed(), this.most);
    this.exact = new Alignment(points, this.most);
  }

  get found(): Iterable<FoundWord> {
    return this.foundByKey.values();
  }

  /** Asked before `prefixes`: possible first and last parts. */
  get beginnings(): readonly BlockProbe[] {
    if (this.most < 2) return [];
    const [forward, backward] = DIRECTIONS[this.wanted.kind];
    return [...beginningsOf(forward, this.letters), ...beginningsOf(backward, this.reversed)];
  }

  prefixes(begins: FoundBlocks): readonly BlockProbe[] {
    const split = this.most < 2 ? 0 : this.splitBy(begins);
    const { wanted } = this;
    if (wanted.kind === 'names') return prefixesOfNames(this.letters, this.most, split, wanted.letters);
    // Numbers and addresses have at least three letters.
    return this.most === 0 ? [] : prefixesOfNumbers(this.letters, this.most, split, wanted);
  }

  /** Returns probes for the omitted entries. */
  read(asked: BlockProbe, { blocks, isDense }: Answered): readonly BlockProbe[] {
    for (const block of blocks) this.readBlock(block);
    return isDense ? this.rest(asked, blocks) : [];
  }

  /** Both parts shall be equally selective: numbers of a country may share their beginning. */
  private splitBy(begins: FoundBlocks): number {
    const { length } = this.letters;
    const [forward, backward] = DIRECTIONS[this.wanted.kind];
    const dense = (probes: readonly BlockProbe[]): number => probes.filter((one) => begins.of(one).isDense).length;
    const denseThere = dense(beginningsOf(forward, this.letters));
    const middle = (denseThere + length - dense(beginningsOf(backward, this.reversed))) / 2;
    return Math.min(Math.max(Math.round(middle), 2), length - 2);
  }

  /** One probe for each letter that may follow. */
  private rest({ direction, prefix }: BlockProbe, blocks: readonly WordBlock[]): readonly BlockProbe[] {
    const { wanted } = this;
    const parts = (letters: readonly string[]): readonly BlockProbe[] =>
      letters.map((letter) => ({ direction, prefix: prefix + letter }));
    const [, id, name] = prefix.split(END_OF_WORD);
    // Many names with equal sort letters: read in order.
    if (name !== undefined) return [{ direction, prefix, after: blocks.at(-1)?.first ?? prefix }];
    // An entry equal to the prefix precedes the range.
    if (id !== undefined) return parts(id === '' || wanted.kind === 'numbers' ? DIGITS : [END_OF_WORD, ...DIGITS]);
    const alignment = this.alignmentOf(direction);
    const { length } = prefix;
    for (let at = 0; at < length; at++) if (!alignment.take(at + 1, prefix.charCodeAt(at))) return [];
    const word = isForward(direction) ? this.letters : this.reversed;
    const following = wanted.kind === 'names' ? wanted.letters : lettersAfter(prefix, word, wanted);
    const next = following.filter((letter) => alignment.take(length + 1, letter.charCodeAt(0)));
    const mayEnd = alignment.edits(length) <= this.most || this.isCut(length);
    return parts([...(mayEnd ? [END_OF_WORD] : []), ...next]);
  }

  private readBlock({ direction, first, entries }: WordBlock): void {
    const key = direction + first;
    if (this.blocksRead.has(key)) return;
    this.blocksRead.add(key);
    const alignment = this.alignmentOf(direction);
    // Sorted entries share their common prefix's work.
    let before: Taken = { start: 0, letters: 0, isRejected: false };
    for (let start = 0; start < entries.length;) {
      const end = entries.indexOf('\n', start);
      const next = end === -1 ? entries.length : end;
      const taken = takeNext(alignment, entries, start, before);
      if (taken !== before && !taken.isRejected) this.readEntry(direction, entries, taken, next);
      before = taken;
      start = next + 1;
    }
  }

  private readEntry(direction: Direction, entries: string, { start, letters }: Taken, end: number): void {
    const edits = this.alignmentOf(direction).edits(letters);
    if (edits > this.most && !this.isCut(letters)) return;
    const at = start + letters;
    const [id = '', name] = entries.slice(at + 1, end).split(END_OF_WORD);
    if (name === undefined) {
      const stored = entries.slice(start, at);
      this.add(Number(id), isForward(direction) ? stored : Array.from(stored).reverse().join(''), edits);
    } else {
      const points = codePointsOf(name);
      this.add(Number(id), name, this.exact.editsTo(points, 0, points.length));
    }
  }

  private add(pathId: number, word: string, edits: number): void {
    if (edits <= this.most) this.foundByKey.set(`${pathId} ${word}`, { pathId, word, edits });
  }

  /** Whether these may be a truncated name. */
  private isCut(length: number): boolean {
    return this.wanted.kind === 'names' && length >= MOST_NAME_LETTERS;
  }

  private alignmentOf(direction: Direction): Alignment {
    return isForward(direction) ? this.forward : this.backward;
  }
}

const beginningsOf = (direction: Direction, letters: readonly string[]): readonly BlockProbe[] =>
  Array.from(letters, (_, at) => ({ direction, prefix: letters.slice(0, at + 1).join('') }));

/** How much of a word, from `start`, was taken. */
interface Taken {
  readonly start: number;
  readonly letters: number;
  /** No near word has the next letter. */
  readonly isRejected: boolean;
}

/** Returns `before` if the rejected prefix is shared. */
function takeNext(alignment: Alignment, entries: string, start: number, before: Taken): Taken {
  let letters = 0;
  while (
    letters < before.letters &&
    entries.charCodeAt(start + letters) === entries.charCodeAt(before.start + letters)
  ) {
    letters += 1;
  }
  const isAlike = letters === before.letters;
  const following = entries.charCodeAt(start + letters);
  if (before.isRejected && isAlike && following === entries.charCodeAt(before.start + letters)) return before;
  for (; entries.charCodeAt(start + letters) !== SPACE; letters++) {
    if (!alignment.take(letters + 1, entries.charCodeAt(start + letters))) return { start, letters, isRejected: true };
  }
  return { start, letters, isRejected: false };
}

const isForward = (direction: Direction): boolean => direction === 'f' || direction === 'F';

const SPACE = END_OF_WORD.charCodeAt(0);
