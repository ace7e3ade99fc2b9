const NUMBER = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?$/;

/**
 * The number of a term (S-10): decimal digits with optional sign, fraction and exponent; `3`, `3.0`, `+3` and `30e-1`
 * are equal. Undefined for other text, and beyond JSON. Double precision.
 */
export function numberOf(term: string): number | undefined {
  const number = NUMBER.test(term) ? Number(term) : NaN;
  // Unifies 0 and -0.
  return Number.isFinite(number) ? number + 0 : undefined;
}
