/** Words that are forgotten together. */
export interface Part {
  readonly size: number;
  readonly bytes: number;
  add(pathId: number, word: string): void;
}

/** A process has read everything so far. */
export interface Kept {
  /** The next id of a transaction. */
  readonly nextId: bigint;
  /** What transactions before this one wrote is in blocks. */
  readonly inBlocksBefore: bigint;
}

/** With so many, what is added next is forgotten by itself: about the numbers of ten thousand records. */
const LARGEST_PART = 1 << 16;

/** Words that may not be in blocks yet, in parts that are forgotten once they are. */
export class RecentParts<P extends Part> {
  private parts: { readonly words: P; writtenBefore: bigint | undefined }[] = [];
  private someAreInBlocks = false;

  constructor(private readonly empty: () => P) {}

  get size(): number {
    return this.parts.reduce((sum, { words }) => sum + words.size, 0);
  }

  get bytes(): number {
    return this.parts.reduce((sum, { words }) => sum + words.bytes, 0);
  }

  /** Those that are known now; they are not taken from the answer when they are forgotten, and others are added to it. */
  get now(): readonly P[] {
    return this.parts.map(({ words }) => words);
  }

  add(pathId: number, word: string): void {
    let part = this.parts.at(-1);
    // While nothing is in blocks nothing is forgotten, and one part is searched in less time than several.
    if (part === undefined || (this.someAreInBlocks && part.words.size >= LARGEST_PART)) {
      part = { words: this.empty(), writtenBefore: undefined };
      this.parts.push(part);
    }
    part.writtenBefore = undefined;
    part.words.add(pathId, word);
  }

  /** To be called when everything written before has been read and added. */
  keep({ nextId, inBlocksBefore }: Kept): void {
    this.someAreInBlocks = inBlocksBefore > 0n;
    for (const part of this.parts) part.writtenBefore ??= nextId;
    this.parts = this.parts.filter(
      ({ writtenBefore }) => writtenBefore !== undefined && writtenBefore > inBlocksBefore,
    );
  }
}
