import { HashedPrefix } from './term-hash.js';

/**
 * Which values of a kind are countable: the texts of their terms are stored in the table `term`, so that such a term
 * can decide. Others are as numerous as the records, or never decide anything.
 */
export type Counting =
  | 'always'
  /** Text of 64 UTF-16 units at most, without a digit and an `@`. */
  | 'words'
  /** Text of 6 UTF-16 units at most. */
  | 'short'
  | 'never';

/** A value of a kind, as a term of a record or of a condition. */
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

/**
 * What terms describe: a field of the metadata, or an aspect of a field. Two terms of different kinds never have the
 * same text.
 */
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

  /**
   * A hash that no term has, which stands for the kind itself where only the presence of a row matters (`term_doubt`).
   */
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

/** The text of a term, from which its hash is computed. */
export const textOf = ({ kind, value }: Term): string => kind.prefix + value;
