import { HashedPrefix } from './term-hash.js';

/**
 * Countable values have their texts in the table `term`, so that they can decide. Others are too numerous, or never
 * decide.
 */
export type Counting =
  | 'always'
  /** At most 64 UTF-16 units, without a digit and an `@`. */
  | 'words'
  /** At most 6 UTF-16 units. */
  | 'short'
  | 'never';

/** A value of a kind, in a record or a condition. */
export interface Term {
  readonly kind: TermKind;
  readonly value: string;
  readonly hash: bigint;
  readonly isCountable: boolean;
}

const LONGEST_PREFIX = 512;
const LONGEST_WORDS = 64;
const SHORT = 6;
const DIGIT_OR_AT = /[\d@]/;

/** A metadata field, or an aspect of a field. Terms of different kinds never share a text. */
export class TermKind {
  private readonly hashed: HashedPrefix;

  constructor(
    readonly prefix: string,
    private readonly counting: Counting,
  ) {
    this.hashed = new HashedPrefix(prefix);
  }

  term(value: string): Term {
    const isCountable = this.counts(value);
    return { kind: this, value, hash: this.hashed.hash(value, isCountable ? 0 : 1), isCountable };
  }

  /** Stands for the kind itself in `term_doubt`; no term has it. */
  get ownHash(): bigint {
    return this.hashed.hash('', 1);
  }

  private counts(value: string): boolean {
    switch (this.counting) {
      case 'always':
        return this.prefix.length <= LONGEST_PREFIX;
      case 'words':
        return this.prefix.length <= LONGEST_PREFIX && value.length <= LONGEST_WORDS && !DIGIT_OR_AT.test(value);
      case 'short':
        return this.prefix.length <= LONGEST_PREFIX && value.length <= SHORT;
      case 'never':
        return false;
    }
  }
}

/** The hash is computed from this text. */
export const textOf = ({ kind, value }: Term): string => kind.prefix + value;
