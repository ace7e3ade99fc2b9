const NUMBER = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?$/;

/**
 * The number that a condition's term spells (S-10): decimal digits with an optional sign, fraction and exponent, so
 * that `3`, `3.0`, `+3` and `30e-1` are one number. Undefined for anything else, and for numbers too large for JSON.
 * Like JSON numbers it has the precision of a double.
 */
export function numberOf(term: string): number | undefined {
  const number = NUMBER.test(term) ? Number(term) : NaN;
  // 0 and -0 are one number.
  return Number.isFinite(number) ? number + 0 : undefined;
}
