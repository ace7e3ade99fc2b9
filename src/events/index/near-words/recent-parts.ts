/** Words that are forgotten together. */
export interface Part {
  readonly size: number;
  readonly bytes: number;
  add(pathId: number, word: string): void;
}

/** Valid once a process has read everything so far. */
export interface Kept {
  /** The next transaction id. */
  readonly nextId: bigint;
  /** Words of earlier transactions are in blocks. */
  readonly inBlocksBefore: bigint;
}

/** About the numbers of ten thousand records, or fewer long words. */
const LARGEST_PART = { size: 1 << 16, bytes: 16_000_000 };

/** Before any move nothing can be forgotten, and one part is faster. */
const LARGEST_AT_FIRST = { size: 600_000, bytes: 150_000_000 };

/** Parts are forgotten once in blocks. */
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

  /** A stable list: later changes do not affect it. */
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

  /** Requires a complete reading. */
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
