import { type Halves, sipHash, type SipKey } from './sip-hash.js';

/** Countable values may have a bitmap, and decide. Others, as numerous as people, are rechecked on the record. */
export type Counting =
  | 'always'
  /** At most 64 UTF-16 units, without a digit and an `@`. */
  | 'words'
  /** At most 6 UTF-16 units. */
  | 'short'
  | 'never';

/** A value of a kind, in a record or a condition. */
export interface Term {
  /** The lowest bit is set unless the term is countable. */
  readonly hash: bigint;
  readonly isCountable: boolean;
}

const LONGEST_PREFIX = 512;
const LONGEST_WORDS = 64;
const SHORT = 6;
const DIGIT_OR_AT = /[\d@]/;

const halves: Halves = { high: 0, low: 0 };
const lanes = new DataView(new ArrayBuffer(8));

/** A metadata field, or an aspect of a field, with a key of its own: no two kinds share a term. */
export class TermKind {
  private readonly key: SipKey;
  private readonly mayCount: boolean;

  /** `prefix` names the kind, and begins that of no other. */
  constructor(
    key: SipKey,
    prefix: string,
    private readonly counting: Counting,
  ) {
    this.key = keyOfKind(key, prefix);
    this.mayCount = prefix.length <= LONGEST_PREFIX;
  }

  term(value: string): Term {
    const isCountable = this.mayCount && this.counts(value);
    sipHash(this.key, value, halves);
    lanes.setInt32(0, halves.high);
    lanes.setInt32(4, isCountable ? halves.low & ~1 : halves.low | 1);
    return { hash: lanes.getBigInt64(0), isCountable };
  }

  private counts(value: string): boolean {
    switch (this.counting) {
      case 'always':
        return true;
      case 'words':
        return value.length <= LONGEST_WORDS && !DIGIT_OR_AT.test(value);
      case 'short':
        return value.length <= SHORT;
      case 'never':
        return false;
    }
  }
}

function keyOfKind(key: SipKey, prefix: string): SipKey {
  sipHash(key, `0${prefix}`, halves);
  const { high, low } = halves;
  sipHash(key, `1${prefix}`, halves);
  return [low, high, halves.low, halves.high];
}

/** Mostly rare. */
export const isUncountable = (hash: bigint): boolean => (hash & 1n) === 1n;
