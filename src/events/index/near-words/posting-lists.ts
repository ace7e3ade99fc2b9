import type { Steps } from '../../../platform/queue/time-slice.js';

/** Lists closed per step: some tens of microseconds. */
const LISTS_A_STEP = 64;

/**
 * Up to `capacity` numbers by key: linked, later contiguous. Keys may share a list, so look-ups can yield numbers of
 * others.
 */
export class PostingLists {
  private readonly mask: number;
  /** Open: newest entry per list, from 1, and predecessors. Closed: list starts. */
  private heads: Uint32Array;
  private before: Uint32Array | undefined;
  private numbers: Uint32Array;
  private count = 0;
  private isClosing = false;

  /** `capacity` is a power of two. */
  constructor(readonly capacity: number) {
    this.mask = capacity / 2 - 1;
    this.heads = new Uint32Array(capacity / 2);
    this.before = new Uint32Array(capacity);
    this.numbers = new Uint32Array(capacity);
  }

  hasRoomFor(entries: number): boolean {
    return !this.isClosing && this.count + entries <= this.capacity;
  }

  add(key: number, number: number): void {
    if (this.before === undefined || this.isClosing) throw new Error('These lists are full');
    const list = key & this.mask;
    this.numbers[this.count] = number;
    this.before[this.count] = this.heads[list] ?? 0;
    this.count += 1;
    this.heads[list] = this.count;
  }

  /** Halves the memory, in short steps with complete look-ups. */
  close(): Steps<void> {
    this.isClosing = true;
    return this.closing();
  }

  private *closing(): Steps<void> {
    const { heads, before } = this;
    if (before === undefined) return;
    const numbers = new Uint32Array(this.count);
    const starts = new Uint32Array(heads.length + 1);
    let end = 0;
    for (let list = 0; list < heads.length; list++) {
      if (list % LISTS_A_STEP === 0) yield;
      starts[list] = end;
      for (let entry = heads[list] ?? 0; entry > 0; entry = before[entry - 1] ?? 0) {
        numbers[end++] = this.numbers[entry - 1] ?? 0;
      }
    }
    starts[heads.length] = end;
    [this.heads, this.before, this.numbers] = [starts, undefined, numbers];
  }

  /** Numbers added meanwhile may be missing. */
  *under(key: number): Generator<number, void, void> {
    const { heads, before, numbers } = this;
    const list = key & this.mask;
    if (before === undefined) {
      const end = heads[list + 1] ?? 0;
      for (let at = heads[list] ?? 0; at < end; at++) yield numbers[at] ?? 0;
    } else {
      for (let entry = heads[list] ?? 0; entry > 0; entry = before[entry - 1] ?? 0) yield numbers[entry - 1] ?? 0;
    }
  }

  get bytes(): number {
    return this.heads.byteLength + this.numbers.byteLength + (this.before?.byteLength ?? 0);
  }
}
