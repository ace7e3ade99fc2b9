import type { Prng } from '../prng.js';

/** A number of so many digits, at most 15, which does not begin with 0. */
export const drawDigits = (prng: Prng, digits: number): string =>
  String(prng.between(10 ** (digits - 1), 10 ** digits - 1));
