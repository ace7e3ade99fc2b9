import type { Prng } from './prng.js';

/** Items that are drawn as often as their weights say. */
export class Weighted<T> {
  private readonly items: readonly T[];
  /** For each item its weight and that of all before it. */
  private readonly weightUntil: readonly number[];
  private readonly weight: number;

  constructor(table: readonly (readonly [weight: number, item: T])[]) {
    let weight = 0;
    this.items = table.map(([, item]) => item);
    this.weightUntil = table.map(([more]) => (weight += more));
    this.weight = weight;
  }

  /** Fails when there are no items. */
  draw(prng: Prng): T {
    const drawn = prng.unit() * this.weight;
    let low = 0;
    let high = this.items.length - 1;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.weightUntil[middle] ?? 0) > drawn) high = middle;
      else low = middle + 1;
    }
    const item = this.items[low];
    if (item === undefined) throw new RangeError('there is nothing to draw from');
    return item;
  }
}
