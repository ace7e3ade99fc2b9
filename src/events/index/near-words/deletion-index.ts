import type { Steps } from '../../../platform/queue/time-slice.js';
import { deletionKeys, deletionsIn, keyOfWord, MOST_DELETION_KEYS } from './deletion-keys.js';
import { GrowingInts } from './growing-ints.js';
import { type Alignment, codePointsOf, lettersOf } from './optimal-string-alignment.js';
import { PostingLists } from './posting-lists.js';

const SMALLEST_LISTS = 1 << 14;
const LARGEST_LISTS = 1 << 20;

/** Words compared per step. */
const WORDS_A_STEP = 256;

export interface Found {
  /** By order of arrival, from 0. */
  readonly number: number;
  readonly edits: number;
}

/**
 * Finds near words (S-11) among hundreds of thousands within a fraction of a millisecond: by deletion neighbourhoods as
 * in SymSpell, then by distance. Words are added without a rebuild, to the newest of several posting lists of fixed
 * size.
 */
export class DeletionIndex {
  private readonly points = new GrowingInts();
  /** The end of each word in `points`. */
  private readonly ends = new GrowingInts();
  /** By word, as `lettersOf`: a cheap filter. */
  private readonly letters = new GrowingInts();
  private readonly lists: PostingLists[] = [new PostingLists(SMALLEST_LISTS)];
  /** A step with each word: all at once would take a tenth of a second. */
  private closing: Steps<void> | undefined;
  private readonly keys = new Uint32Array(MOST_DELETION_KEYS);

  get size(): number {
    return this.ends.length;
  }

  get bytes(): number {
    return this.lists.reduce((sum, { bytes }) => sum + bytes, this.points.bytes + this.ends.bytes + this.letters.bytes);
  }

  /** Returns the word's number, whether new or known. */
  add(word: string): number {
    const points = codePointsOf(word);
    const known = this.find(points);
    if (known !== undefined) return known;
    const number = this.ends.length;
    for (const point of points) this.points.push(point);
    this.ends.push(this.points.length);
    this.letters.push(lettersOf(points, 0, points.length));
    const count = deletionKeys(points, deletionsIn(points.length), this.keys);
    const lists = this.listsFor(count + 1);
    for (let at = 0; at < count; at++) lists.add(this.keys[at] ?? 0, number);
    // Short words: equal to the first key.
    const whole = keyOfWord(points);
    if (whole !== this.keys[0]) lists.add(whole, number);
    this.closing?.next();
    return number;
  }

  word(number: number): string {
    return String.fromCodePoint(...this.points.array.subarray(this.startOf(number), this.ends.get(number)));
  }

  /** Each once, in short steps: words may be added between them. */
  *near(alignment: Alignment): Steps<readonly Found[]> {
    const { searched, most } = alignment;
    const seen = new Set<number>();
    const found: Found[] = [];
    const keys = this.keys.slice(0, deletionKeys(searched, most, this.keys));
    let compared = 0;
    for (const key of keys) {
      for (const lists of [...this.lists]) {
        for (const number of lists.under(key)) {
          compared += 1;
          if (compared % WORDS_A_STEP === 0) yield;
          if (!alignment.mayHaveLetters(this.letters.get(number)) || seen.has(number)) continue;
          seen.add(number);
          const edits = alignment.editsTo(this.points.array, this.startOf(number), this.ends.get(number));
          if (edits <= most) found.push({ number, edits });
        }
      }
      yield;
    }
    return found;
  }

  private find(word: Uint32Array): number | undefined {
    const key = keyOfWord(word);
    for (const lists of this.lists) {
      for (const number of lists.under(key)) if (this.isWord(number, word)) return number;
    }
    return undefined;
  }

  private isWord(number: number, word: Uint32Array): boolean {
    const start = this.startOf(number);
    return (
      this.ends.get(number) - start === word.length && word.every((point, at) => point === this.points.get(start + at))
    );
  }

  private startOf(number: number): number {
    return number === 0 ? 0 : this.ends.get(number - 1);
  }

  private listsFor(entries: number): PostingLists {
    const last = this.lists.at(-1);
    if (last?.hasRoomFor(entries)) return last;
    this.closing = last?.close();
    const next = new PostingLists(Math.min(2 * (last?.capacity ?? SMALLEST_LISTS), LARGEST_LISTS));
    this.lists.push(next);
    return next;
  }
}
