import type { Uuid } from '../src/kernel/domain/uuid.js';

/** Separate streams: draws of one never shift another. */
const STREAMS = {
  country: 0x636f_756e,
  recordId: 0x7265_6364,
  arrival: 0x6172_7276,
  origin: 0x6f72_6967,
  vital: 0x7669_7461,
  child: 0x6368_696c,
  respelling: 0x7265_7370,
  history: 0x6869_7374,
} as const;

export type Stream = keyof typeof STREAMS;

/** Rounds until the state hides its initial words. */
const WARM_UP_ROUNDS = 15;

/**
 * A fast generator (sfc32), deterministic on every machine. Seed, stream and index are separate words of the state, so
 * no two records share a sequence. Not for secrets.
 */
export class Prng {
  private a: number;
  private b: number;
  private c: number;
  private counter = 1;

  /** `seed` is a safe integer, `index` a whole number below 2^32. */
  constructor(seed: number, stream: Stream, index = 0) {
    this.a = seed | 0;
    this.b = STREAMS[stream] ^ Math.floor(seed / 0x1_0000_0000);
    this.c = index | 0;
    for (let round = 0; round < WARM_UP_ROUNDS; round++) this.uint32();
  }

  uint32(): number {
    const sum = (((this.a + this.b) | 0) + this.counter) | 0;
    this.counter = (this.counter + 1) | 0;
    this.a = this.b ^ (this.b >>> 9);
    this.b = (this.c + (this.c << 3)) | 0;
    this.c = (((this.c << 21) | (this.c >>> 11)) + sum) | 0;
    return sum >>> 0;
  }

  /** 0 <= x < 1. */
  unit(): number {
    return this.uint32() / 0x1_0000_0000;
  }

  /** A whole number, both ends included. */
  between(least: number, most: number): number {
    return least + Math.floor(this.unit() * (most - least + 1));
  }

  chance(probability: number): boolean {
    return this.unit() < probability;
  }

  /** Throws on an empty list. */
  pick<T>(list: readonly T[]): T {
    return at(list, Math.floor(this.unit() * list.length));
  }

  /** Zipf: the item at rank k about 1/k as often as the first. Throws on an empty list. */
  pickByRank<T>(list: readonly T[]): T {
    return at(list, Math.min(list.length, Math.floor((list.length + 1) ** this.unit())) - 1);
  }
}

function at<T>(list: readonly T[], index: number): T {
  const item = list[index];
  if (item === undefined) throw new RangeError('there is nothing to draw from');
  return item;
}

/** Version 4. */
export function drawUuid(prng: Prng): Uuid {
  const [a, b, c, d] = [prng.uint32(), prng.uint32(), prng.uint32(), prng.uint32()];
  const words = [a, (b & 0xffff_0fff) | 0x4000, (c & 0x3fff_ffff) | 0x8000_0000, d];
  const digits = words.map((word) => (word >>> 0).toString(16).padStart(8, '0')).join('');
  return digits.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-') as Uuid;
}

export class Weighted<T> {
  private readonly weight: number;

  constructor(private readonly table: readonly (readonly [weight: number, item: T])[]) {
    this.weight = table.reduce((sum, [weight]) => sum + weight, 0);
  }

  /** Throws without items. */
  draw(prng: Prng): T {
    let left = prng.unit() * this.weight;
    for (const [weight, item] of this.table) {
      left -= weight;
      if (left < 0) return item;
    }
    // Rounded weights may leave a little.
    return at(this.table, this.table.length - 1)[1];
  }
}
