import type { Steps } from '../../../platform/queue/time-slice.js';
import type { Part } from './recent-parts.js';
import { DeletionIndex, type Found } from './deletion-index.js';
import type { Alignment } from './optimal-string-alignment.js';
import { PathsOfWords } from './paths-of-words.js';

/** Words of a language, each once, and their paths. */
export class Names implements Part {
  private readonly words = new DeletionIndex();
  private readonly paths = new PathsOfWords();

  get size(): number {
    return this.words.size;
  }

  get bytes(): number {
    return this.words.bytes + this.paths.bytes;
  }

  add(pathId: number, word: string): void {
    this.paths.add(this.words.add(word), pathId);
  }

  /** Words may be added between its short steps. */
  near(alignment: Alignment): Steps<readonly Found[]> {
    return this.words.near(alignment);
  }

  word(number: number): string {
    return this.words.word(number);
  }

  pathsOf(number: number): readonly number[] {
    return this.paths.of(number);
  }
}
