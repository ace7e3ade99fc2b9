import { KIB } from '../domain/bytes.js';

/** The first room for several pieces. */
const LEAST_ROOM = 4 * KIB;

/**
 * Bytes that come in pieces, held as one buffer of at most twice their length, and never of more than `most` where no
 * more come. A list of the pieces would hold some four hundred bytes for each, and whoever sends them may send a byte
 * at a time.
 */
export class GatheredBytes {
  private room: Buffer = Buffer.alloc(0);
  private used = 0;

  constructor(private readonly most = Infinity) {}

  /** How much memory they take. */
  get held(): number {
    return this.room.length;
  }

  get length(): number {
    return this.used;
  }

  /** What has been added so far. */
  get bytes(): Buffer {
    return this.room.subarray(0, this.used);
  }

  /** The same, in no more memory than they need. */
  get trimmed(): Buffer {
    return this.used === this.room.length ? this.room : Buffer.from(this.bytes);
  }

  add(piece: Buffer): void {
    const needed = this.used + piece.length;
    // Most bodies have one piece, which nobody else changes.
    if (this.used === 0) this.room = piece;
    else {
      if (needed > this.room.length) this.grow(needed);
      piece.copy(this.room, this.used);
    }
    this.used = needed;
  }

  private grow(needed: number): void {
    const wanted = Math.max(LEAST_ROOM, needed, 2 * this.room.length);
    const larger = Buffer.allocUnsafeSlow(Math.max(needed, Math.min(wanted, this.most)));
    this.room.copy(larger, 0, 0, this.used);
    this.room = larger;
  }
}
