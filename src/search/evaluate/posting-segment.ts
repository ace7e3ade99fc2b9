const NONE = -1;

/**
 * A posting list for each mark: the numbers of those who ask for it. An entry takes sixteen bytes, and the size never
 * changes: adding and looking up take the same time however many entries there are, and nothing is ever sorted or
 * rebuilt as a whole.
 */
export class PostingSegment {
  private readonly heads: Int32Array;
  private readonly next: Int32Array;
  private readonly marks: Uint32Array;
  private readonly numbers: Uint32Array;
  private count = 0;
  private dead = 0;

  /** `capacity` is a power of two; marks are unsigned numbers of 32 bits. */
  constructor(readonly capacity: number) {
    this.heads = new Int32Array(capacity).fill(NONE);
    this.next = new Int32Array(capacity);
    this.marks = new Uint32Array(capacity);
    this.numbers = new Uint32Array(capacity);
  }

  get size(): number {
    return this.count;
  }

  /** Whether more than half of the entries were given up. */
  get isStale(): boolean {
    return 2 * this.dead > this.count;
  }

  hasRoomFor(marks: number): boolean {
    return this.count + marks <= this.capacity;
  }

  add(mark: number, number: number): void {
    const list = mark & (this.capacity - 1);
    this.marks[this.count] = mark;
    this.numbers[this.count] = number;
    this.next[this.count] = this.heads[list] ?? NONE;
    this.heads[list] = this.count++;
  }

  /** This many marks are no longer asked for; their entries stay until `keep` is called. */
  giveUp(marks: number): void {
    this.dead += marks;
  }

  /** Calls `visit` with each number under `mark`, including those given up, until it returns false. */
  visit(mark: number, visit: (number: number) => boolean): void {
    const { next, marks, numbers } = this;
    for (let at = this.heads[mark & (this.capacity - 1)] ?? NONE; at !== NONE; at = next[at] ?? NONE) {
      if (marks[at] === mark && !visit(numbers[at] ?? 0)) return;
    }
  }

  /** Drops the numbers that are not to be kept. */
  keep(isKept: (number: number) => boolean): void {
    const kept = this.count;
    this.heads.fill(NONE);
    this.count = this.dead = 0;
    for (let at = 0; at < kept; at++) {
      const number = this.numbers[at] ?? 0;
      if (isKept(number)) this.add(this.marks[at] ?? 0, number);
    }
  }
}
