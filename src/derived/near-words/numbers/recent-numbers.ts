import { Alignment, allowedEdits, codePointsOf } from '../optimal-string-alignment.js';
import { WordsOfPaths } from '../words-of-paths.js';
import type { FoundNumber } from './found-number.js';

const THREE_DIGITS = /\d.*\d.*\d/;

/** With so many, what is added next is forgotten by itself: about the numbers of ten thousand records. */
const LARGEST_PART = 1 << 16;

/** Numbers and e-mail addresses that may not be in blocks yet, in parts that are forgotten once they are. */
export class RecentNumbers {
  private parts: Part[] = [new Part()];

  get size(): number {
    return this.parts.reduce((sum, { size }) => sum + size, 0);
  }

  get bytes(): number {
    return this.parts.reduce((sum, { bytes }) => sum + bytes, 0);
  }

  add(pathId: number, word: string): void {
    let part = this.parts.at(-1);
    if (part === undefined || part.isFull) {
      part = new Part();
      this.parts.push(part);
    }
    part.add(pathId, word);
  }

  /**
   * To be called with the next id of a transaction when everything written before has been read and added, and with the
   * id before which everything is in blocks.
   */
  keep({ nextId, inBlocksBefore }: { readonly nextId: bigint; readonly inBlocksBefore: bigint }): void {
    for (const part of this.parts) part.writtenBefore ??= nextId;
    this.parts = this.parts.filter(
      ({ size, writtenBefore }) => size > 0 && writtenBefore !== undefined && writtenBefore > inBlocksBefore,
    );
  }

  /** All that are near the word, at any path; some more than once. Words may be added, and forgotten, between steps. */
  *near(word: string): Generator<void, readonly FoundNumber[]> {
    const found: FoundNumber[] = [];
    const searched = codePointsOf(word);
    const alignment = new Alignment(searched, allowedEdits(searched.length));
    for (const part of [...this.parts]) yield* part.near(word, alignment, found);
    return found;
  }
}

class Part {
  /** All its words were written by transactions before this one; undefined while some may be added. */
  writtenBefore: bigint | undefined;
  private readonly numbers = new WordsOfPaths();
  private readonly emails = new WordsOfPaths();

  get size(): number {
    return this.numbers.size + this.emails.size;
  }

  get bytes(): number {
    return this.numbers.bytes + this.emails.bytes;
  }

  get isFull(): boolean {
    return this.size >= LARGEST_PART;
  }

  add(pathId: number, word: string): void {
    this.writtenBefore = undefined;
    (THREE_DIGITS.test(word) ? this.numbers : this.emails).add(pathId, word);
  }

  *near(word: string, alignment: Alignment, found: FoundNumber[]): Generator<void, void> {
    // Two edits cannot turn a word without a digit into one with three.
    const kinds = /\d/.test(word) ? [this.numbers, this.emails] : [this.emails];
    for (const kind of kinds) {
      yield* kind.visitNear(
        () => true,
        alignment,
        (pathId, near, edits) => found.push({ pathId, word: near, edits }),
      );
    }
  }
}
