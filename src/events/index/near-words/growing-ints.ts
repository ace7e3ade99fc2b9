/** Unsigned 32-bit numbers, four bytes each. */
export class GrowingInts {
  private values = new Uint32Array(1024);
  private count = 0;

  get length(): number {
    return this.count;
  }

  get bytes(): number {
    return this.values.byteLength;
  }

  /** The numbers and spare room; replaced on growth. */
  get array(): Uint32Array {
    return this.values;
  }

  push(value: number): void {
    if (this.count === this.values.length) {
      const grown = new Uint32Array(Math.ceil(this.values.length * 1.5));
      grown.set(this.values);
      this.values = grown;
    }
    this.values[this.count++] = value;
  }

  get(at: number): number {
    return this.values[at] ?? 0;
  }

  set(at: number, value: number): void {
    this.values[at] = value;
  }
}
