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

/**
 * With so much, what is added next is forgotten by itself: about the numbers of ten thousand records, or long words.
 */
const LARGEST_PART = { size: 1 << 16, bytes: 16e6 };

/**
 * The same while nothing is in blocks, since several parts take longer to search than one. Of those the last stays
 * until words behind it are moved too.
 */
const LARGEST_AT_FIRST = { size: 600_000, bytes: 150e6 };

/** Words that may not be in blocks yet, in parts that are forgotten once they are. */
export class RecentParts<P extends Part> {
  private parts: { readonly words: P; writtenBefore: bigint | undefined; isLarge: boolean }[] = [];
  private largest = LARGEST_AT_FIRST;

  constructor(private readonly empty: () => P) {}

  get size(): number {
    return this.parts.reduce((sum, { words }) => sum + words.size, 0);
  }

  get bytes(): number {
    return this.parts.reduce((sum, { words }) => sum + words.bytes, 0);
  }

  /**
   * Those that are known now; they are not taken from the answer when they are forgotten, and others are added to it.
   */
  get now(): readonly P[] {
    return this.parts.map(({ words }) => words);
  }

  add(pathId: number, word: string): void {
    let part = this.parts.at(-1);
    if (part === undefined || part.isLarge || part.words.size >= this.largest.size) {
      part = { words: this.empty(), writtenBefore: undefined, isLarge: false };
      this.parts.push(part);
    }
    part.writtenBefore = undefined;
    part.words.add(pathId, word);
  }

  /** To be called when everything written before has been read and added. */
  keep({ nextId, inBlocksBefore }: Kept): void {
    this.largest = inBlocksBefore > 0n ? LARGEST_PART : LARGEST_AT_FIRST;
    for (const part of this.parts) {
      if (part.writtenBefore !== undefined) continue;
      part.writtenBefore = nextId;
      part.isLarge = part.words.bytes >= this.largest.bytes;
    }
    this.parts = this.parts.filter(
      ({ writtenBefore }) => writtenBefore !== undefined && writtenBefore > inBlocksBefore,
    );
  }
}
