import { KIB } from '../domain/bytes.js';

const LEAST_ROOM = 4 * KIB;

/**
 * Gathers pieces in one buffer of at most twice their length and `most` bytes. A list would cost 400 bytes for each
 * piece, even of one byte.
 */
export class GatheredBytes {
  private room: Buffer = Buffer.alloc(0);
  private used = 0;

  constructor(private readonly most = Infinity) {}

  get length(): number {
    return this.used;
  }

  get bytes(): Buffer {
    return this.room.subarray(0, this.used);
  }

  /** In no more memory than needed. */
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
