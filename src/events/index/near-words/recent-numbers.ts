import type { Steps } from '../../../platform/queue/time-slice.js';
import { Alignment, allowedEdits, codePointsOf } from './optimal-string-alignment.js';
import { WordsOfPaths } from './words-of-paths.js';
import type { FoundWord } from './found-word.js';
import { type Kept, type Part, RecentParts } from './recent-parts.js';

const THREE_DIGITS = /\d.*\d.*\d/;

/** Perhaps not in blocks yet. */
export class RecentNumbers {
  private readonly parts = new RecentParts(() => new Numbers());

  get size(): number {
    return this.parts.size;
  }

  get bytes(): number {
    return this.parts.bytes;
  }

  add(pathId: number, word: string): void {
    this.parts.add(pathId, word);
  }

  /** Requires a complete reading. */
  keep(kept: Kept): void {
    this.parts.keep(kept);
  }

  /** With duplicates. Words may be added and forgotten between steps. */
  *near(word: string): Steps<readonly FoundWord[]> {
    const found: FoundWord[] = [];
    const searched = codePointsOf(word);
    const alignment = new Alignment(searched, allowedEdits(searched.length));
    for (const part of this.parts.now) yield* part.near(word, alignment, found);
    return found;
  }
}

class Numbers implements Part {
  private readonly numbers = new WordsOfPaths();
  private readonly emails = new WordsOfPaths();

  get size(): number {
    return this.numbers.size + this.emails.size;
  }

  get bytes(): number {
    return this.numbers.bytes + this.emails.bytes;
  }

  add(pathId: number, word: string): void {
    (THREE_DIGITS.test(word) ? this.numbers : this.emails).add(pathId, word);
  }

  *near(word: string, alignment: Alignment, found: FoundWord[]): Steps<void> {
    // Two edits cannot add three digits.
    const kinds = /\d/.test(word) ? [this.numbers, this.emails] : [this.emails];
    for (const kind of kinds) {
      yield* kind.visitNear(alignment, (pathId, near, edits) => {
        found.push({ pathId, word: near, edits });
      });
    }
  }
}
