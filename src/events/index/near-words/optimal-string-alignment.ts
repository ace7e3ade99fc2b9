/** Read once: they are needed for every letter. */
const { min, max, abs } = Math;

/** The code points of a word: what edits are counted in. */
export const codePointsOf = (word: string): Uint32Array =>
  Uint32Array.from(word, (character) => character.codePointAt(0) ?? 0);

/** Which letters a word has, `points[start…end)`: a bit for each of 32 classes of code points. */
export function lettersOf(points: ArrayLike<number>, start: number, end: number): number {
  let letters = 0;
  for (let at = start; at < end; at++) letters |= 1 << ((points[at] ?? 0) & 31);
  return letters >>> 0;
}

/** How many edits a word may be away from a searched word with this many code points after folding (S-11). */
export function allowedEdits(codePoints: number): 0 | 1 | 2 {
  if (codePoints < 3) return 0;
  return codePoints < 6 ? 1 : 2;
}

/**
 * The distance of words from one searched word: the edits of optimal string alignment, which replace, insert or remove
 * a code point or exchange two adjacent ones, where no part is edited twice. A word is passed code point by code point,
 * so that words with a common beginning share the work, and abandoned as soon as it can no longer be within `most`
 * edits.
 */
export class Alignment {
  /** One row for each length of the input so far: the edits from it to each prefix of the searched word. */
  private readonly rows: Uint8Array;
  private readonly given: Uint32Array;
  private readonly width: number;
  private readonly tooFar: number;
  private readonly letters: number;

  constructor(
    readonly searched: Uint32Array,
    /** 0, 1 or 2: farther than this is not near. */
    readonly most: number,
  ) {
    this.width = searched.length + 2;
    this.tooFar = most + 1;
    this.letters = lettersOf(searched, 0, searched.length);
    this.given = new Uint32Array(searched.length + most + 1);
    this.rows = new Uint8Array(this.given.length * this.width).fill(this.tooFar);
    for (let at = 0; at <= min(most, searched.length); at++) this.rows[at] = at;
  }

  /** Words of other lengths are not near. */
  isNearLength(length: number): boolean {
    return abs(length - this.searched.length) <= this.most;
  }

  /**
   * False if a word with these letters, of `lettersOf`, is not near. An edit brings and takes away one letter at most.
   */
  mayHaveLetters(letters: number): boolean {
    return bitsOf(letters & ~this.letters) <= this.most && bitsOf(this.letters & ~letters) <= this.most;
  }

  /**
   * Takes `point` as code point number `length` (from 1) of a word whose first `length - 1` were taken before. False if
   * no near word begins like this.
   */
  take(length: number, point: number): boolean {
    if (length >= this.given.length) return false;
    this.given[length] = point;
    const first = max(1, length - this.most);
    const last = min(this.searched.length, length + this.most);
    const row = length * this.width;
    this.rows[row + first - 1] = first === 1 ? min(length, this.tooFar) : this.tooFar;
    let least = this.rows[row + first - 1] ?? 0;
    for (let at = first; at <= last; at++) {
      const edits = this.editsAt(length, at, row + at);
      this.rows[row + at] = edits;
      if (edits < least) least = edits;
    }
    this.rows[row + last + 1] = this.tooFar;
    return least <= this.most;
  }

  /** The edits between the searched word and the `length` code points taken; anything above `most` means too many. */
  edits(length: number): number {
    return this.rows[length * this.width + this.searched.length] ?? this.tooFar;
  }

  /** The edits between the searched word and the one at `points[start…end)`. */
  editsTo(points: ArrayLike<number>, start: number, end: number): number {
    if (!this.isNearLength(end - start)) return this.tooFar;
    for (let at = start; at < end; at++) if (!this.take(at - start + 1, points[at] ?? 0)) return this.tooFar;
    return this.edits(end - start);
  }

  /** `cell` is the position of (length, at) in `rows`; the row above it is one width before. */
  private editsAt(length: number, at: number, cell: number): number {
    const { rows, searched, given, width } = this;
    const point = given[length];
    const replaced = (rows[cell - width - 1] ?? 0) + (point === searched[at - 1] ? 0 : 1);
    const oneMore = 1 + min(rows[cell - width] ?? 0, rows[cell - 1] ?? 0);
    let edits = min(replaced, oneMore, this.tooFar);
    if (at > 1 && length > 1 && point === searched[at - 2] && given[length - 1] === searched[at - 1]) {
      edits = min(edits, 1 + (rows[cell - 2 * width - 2] ?? 0));
    }
    return edits;
  }
}

/** How many bits are set: the usual sums of neighbouring bits. */
function bitsOf(bits: number): number {
  const pairs = bits - ((bits >>> 1) & 0x55555555);
  const fours = (pairs & 0x33333333) + ((pairs >>> 2) & 0x33333333);
  return Math.imul((fours + (fours >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}
