/** Read once: used for every letter. */
const { min, max } = Math;

/** Edits count code points. */
export const codePointsOf = (word: string): Uint32Array =>
  Uint32Array.from(word, (character) => character.codePointAt(0) ?? 0);

/** For `codePoints` after folding (S-11). */
export function allowedEdits(codePoints: number): 0 | 1 | 2 {
  if (codePoints < 3) return 0;
  return codePoints < 6 ? 1 : 2;
}

/**
 * Distance by optimal string alignment: edits replace, insert, remove or exchange adjacent code points, none twice.
 * Words are taken by code point, so that common prefixes share work and distant words end early.
 */
export class Alignment {
  /** Per input length, the edits to each prefix of the searched word. */
  private readonly rows: Uint8Array;
  private readonly given: Uint32Array;
  private readonly width: number;
  private readonly tooFar: number;

  constructor(
    readonly searched: Uint32Array,
    /** 0, 1 or 2. */
    readonly most: number,
  ) {
    this.width = searched.length + 2;
    this.tooFar = most + 1;
    this.given = new Uint32Array(searched.length + most + 1);
    this.rows = new Uint8Array(this.given.length * this.width).fill(this.tooFar);
    for (let at = 0; at <= min(most, searched.length); at++) this.rows[at] = at;
  }

  /** Takes code point `length` (from 1), after the previous ones. False if no near word has this prefix. */
  private take(length: number, point: number): boolean {
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

  /** Above `most`: too many. */
  private edits(length: number): number {
    return this.rows[length * this.width + this.searched.length] ?? this.tooFar;
  }

  /** Compares without a copy: most words fail at the second letter. Above `most`: too many. */
  editsToWord(word: string): number {
    let length = 0;
    for (let at = 0; at < word.length; at++) {
      const point = word.codePointAt(at) ?? 0;
      if (point > 0xffff) at++;
      if (!this.take(++length, point)) return this.tooFar;
    }
    return this.edits(length);
  }

  /** `cell`: position of (length, at) in `rows`. */
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
