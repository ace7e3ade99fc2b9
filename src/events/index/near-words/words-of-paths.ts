import type { Steps } from '../../../platform/queue/time-slice.js';
import type { Alignment } from './optimal-string-alignment.js';
import { WordsOfLength } from './words-of-length.js';

/** More words get their own storage. Forms have few such fields. */
const MANY_WORDS = 16;

/** By path and length. Paths with few words share storage, so that many paths cost neither memory nor time. */
export class WordsOfPaths {
  private readonly together = new Map<number, WordsOfLength>();
  /** For words beyond the first ones. */
  private readonly apart = new Map<number, Map<number, WordsOfLength>>();
  /** Words per path in shared storage. */
  private readonly counts = new Map<number, number>();
  private count = 0;

  get size(): number {
    return this.count;
  }

  get bytes(): number {
    return [this.together, ...this.apart.values()]
      .flatMap((byLength) => [...byLength.values()])
      .reduce((sum, words) => sum + words.bytes, 0);
  }

  add(pathId: number, word: string): void {
    this.count += 1;
    const shared = this.counts.get(pathId) ?? 0;
    if (shared < MANY_WORDS) {
      this.counts.set(pathId, shared + 1);
      this.wordsOf(this.together, word.length, 'tagged').add(word, pathId);
      return;
    }
    const byLength = this.apart.get(pathId) ?? new Map<number, WordsOfLength>();
    this.apart.set(pathId, byLength);
    this.wordsOf(byLength, word.length, 'plain').add(word);
  }

  /** In steps of a few milliseconds. */
  *visitNear(searched: Alignment, visit: (pathId: number, word: string, edits: number) => void): Steps<void> {
    for (const words of this.together.values()) {
      yield* words.visitNear(searched, (word, edits, pathId) => {
        visit(pathId, word, edits);
      });
    }
    for (const [pathId, byLength] of this.apart) {
      for (const words of byLength.values()) {
        yield* words.visitNear(searched, (word, edits) => {
          visit(pathId, word, edits);
        });
      }
      yield;
    }
  }

  private wordsOf(byLength: Map<number, WordsOfLength>, length: number, kind: 'plain' | 'tagged'): WordsOfLength {
    const words = byLength.get(length) ?? new WordsOfLength(length, kind);
    byLength.set(length, words);
    return words;
  }
}
