import type { Steps } from '../../../platform/queue/time-slice.js';
import type { Alignment } from './optimal-string-alignment.js';

/** An unsigned 32-bit tag. */
const TAG_BYTES = 4;

/** Checking all takes less than a tenth of a millisecond. */
const MOST_WAITING = 512;

/** In bytes: bounds a merge to some milliseconds. */
const LONGEST_RUN = 1 << 20;

/** In words: bounds a visit to some milliseconds. */
const MOST_TAGGED = 1 << 13;

/** Fewer words are checked one by one. */
const FEW = 4;

/** Trie nodes of a run visited per step. */
const NODES_A_STEP = 256;

/**
 * ASCII words of one length, a byte a letter, as numerous as the records (identity numbers, telephone numbers, e-mail
 * addresses). Sorted runs are read as tries, which excludes whole prefixes.
 */
export class WordsOfLength {
  /** Longest first. */
  private readonly runs: Uint8Array[] = [];
  private waiting: Uint8Array;
  private waitingCount = 0;
  /** Bytes of a word with its tag. */
  private readonly stride: number;
  /** In bytes. */
  private readonly longestRun: number;

  constructor(
    private readonly length: number,
    kind: 'plain' | 'tagged',
  ) {
    this.stride = kind === 'plain' ? length : length + TAG_BYTES;
    this.longestRun = kind === 'plain' ? LONGEST_RUN : Math.min(LONGEST_RUN, MOST_TAGGED * this.stride);
    this.waiting = new Uint8Array(this.stride);
  }

  get bytes(): number {
    return this.runs.reduce((sum, { byteLength }) => sum + byteLength, this.waiting.byteLength);
  }

  /** Duplicates are found twice. Plain words store no tag. */
  add(word: string, tag = 0): void {
    const start = this.waitingCount * this.stride;
    if (start === this.waiting.length) {
      const larger = new Uint8Array(2 * this.waiting.length);
      larger.set(this.waiting);
      this.waiting = larger;
    }
    for (let at = 0; at < this.length; at++) this.waiting[start + at] = word.charCodeAt(at);
    for (let at = this.length; at < this.stride; at++) this.waiting[start + at] = tag >>> (8 * (at - this.length));
    this.waitingCount += 1;
    if (this.waitingCount === MOST_WAITING) this.sortWaiting();
  }

  /** In short steps. */
  *visitNear(searched: Alignment, visit: VisitTagged): Steps<void> {
    if (!searched.isNearLength(this.length)) return;
    const walk = new Walk(this.length, this.stride, searched, visit);
    // A copy: additions sort and merge runs.
    const runs = [...this.runs];
    walk.each(this.waiting, 0, this.waitingCount, 0);
    for (const run of runs) {
      yield* walk.through(run);
      yield;
    }
  }

  private sortWaiting(): void {
    const words = Array.from({ length: MOST_WAITING }, (_, at) => at * this.stride).sort((left, right) =>
      this.compare(this.waiting, left, this.waiting, right),
    );
    const run = new Uint8Array(this.waiting.length);
    words.forEach((start, at) => {
      run.set(this.waiting.subarray(start, start + this.stride), at * this.stride);
    });
    this.waitingCount = 0;
    this.runs.push(run);
    this.mergeRuns();
  }

  /** Each run stays at least twice as long as the next. */
  private mergeRuns(): void {
    for (;;) {
      const [left, right] = [this.runs.at(-2), this.runs.at(-1)];
      if (left === undefined || right === undefined || left.length >= 2 * right.length) return;
      if (left.length + right.length > this.longestRun) return;
      this.runs.splice(-2, 2, this.merged(left, right));
    }
  }

  private merged(left: Uint8Array, right: Uint8Array): Uint8Array {
    const { stride } = this;
    const both = new Uint8Array(left.length + right.length);
    // Fast path: words sorted by the database.
    if (this.compare(left, left.length - stride, right, 0) <= 0) {
      both.set(left);
      both.set(right, left.length);
      return both;
    }
    let [atLeft, atRight] = [0, 0];
    for (let at = 0; at < both.length; at += stride) {
      const isLeft =
        atRight === right.length || (atLeft < left.length && this.compare(left, atLeft, right, atRight) <= 0);
      // A loop: a view costs more for a short word.
      if (isLeft) for (let byte = 0; byte < stride; byte++) both[at + byte] = left[atLeft++] ?? 0;
      else for (let byte = 0; byte < stride; byte++) both[at + byte] = right[atRight++] ?? 0;
    }
    return both;
  }

  private compare(left: Uint8Array, atLeft: number, right: Uint8Array, atRight: number): number {
    for (let at = 0; at < this.length; at++) {
      const order = (left[atLeft + at] ?? 0) - (right[atRight + at] ?? 0);
      if (order !== 0) return order;
    }
    return 0;
  }
}

/** `tag` is 0 where words are plain. */
export type VisitTagged = (word: string, edits: number, tag: number) => void;

/** One search through runs of one length. */
class Walk {
  constructor(
    private readonly length: number,
    private readonly stride: number,
    private readonly searched: Alignment,
    private readonly visit: VisitTagged,
  ) {}

  /** In steps of a millisecond. */
  *through(run: Uint8Array): Steps<void> {
    const isPlain = this.stride === this.length;
    /** By length: the end of the prefix. */
    const ends = [run.length / this.stride];
    let nodes = 0;
    for (let at = 0; ends.length > 0;) {
      const taken = ends.length - 1;
      const end = ends[taken] ?? 0;
      if (at === end) ends.pop();
      else if (end - at <= FEW || taken === this.length) {
        // Equal words without tags add nothing.
        this.each(run, at, isPlain && taken === this.length ? at + 1 : end, taken);
        at = end;
      } else {
        const letter = run[at * this.stride + taken] ?? 0;
        const other = this.endOf(run, at, end, taken, letter);
        if (this.searched.take(taken + 1, letter)) ends.push(other);
        else at = other;
      }
      nodes += 1;
      if (nodes % NODES_A_STEP === 0) yield;
    }
  }

  /** In any order; the first `taken` letters are taken. */
  each(words: Uint8Array, from: number, to: number, taken: number): void {
    for (let number = from; number < to; number++) {
      const start = number * this.stride;
      if (!this.takeRest(words, start, taken)) continue;
      const edits = this.searched.edits(this.length);
      if (edits > this.searched.most) continue;
      this.visit(String.fromCharCode(...words.subarray(start, start + this.length)), edits, this.tagAt(words, start));
    }
  }

  private tagAt(words: Uint8Array, start: number): number {
    let tag = 0;
    for (let at = this.stride - 1; at >= this.length; at--) tag = tag * 256 + (words[start + at] ?? 0);
    return tag;
  }

  private takeRest(words: Uint8Array, start: number, taken: number): boolean {
    for (let at = taken; at < this.length; at++) {
      if (!this.searched.take(at + 1, words[start + at] ?? 0)) return false;
    }
    return true;
  }

  /** The first with a later letter in this position. */
  private endOf(words: Uint8Array, from: number, to: number, position: number, letter: number): number {
    let [same, other] = [from, to];
    while (other - same > 1) {
      const middle = (same + other) >>> 1;
      if ((words[middle * this.stride + position] ?? 0) === letter) same = middle;
      else other = middle;
    }
    return other;
  }
}
