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

/** Numbers below 2^-9 share a bucket, and so do those from 2^40. */
const SMALLEST = -10;
const LARGEST = 40;
/** Buckets between a power of two and the next. */
const STEPS = 16;

/**
 * Monotonic. Whole numbers up to 32 have their own buckets; others are at most a sixteenth wide. Some sixteen hundred.
 */
export function bucketOf(number: number): number {
  const size = Math.abs(number);
  const exponent = Math.max(SMALLEST, Math.min(LARGEST, exponentOf(size)));
  if (exponent === SMALLEST) return 0;
  const step = exponent === LARGEST ? 0 : Math.floor((size / 2 ** exponent - 1) * STEPS);
  const bucket = (exponent - SMALLEST) * STEPS + step;
  return number < 0 ? -bucket : bucket;
}

/** Whether it is the smallest of its bucket. */
export const beginsBucket = (number: number): boolean => {
  const size = Math.abs(number);
  const exponent = exponentOf(size);
  if (number <= 0 || exponent <= SMALLEST) return false;
  return exponent >= LARGEST ? size === 2 ** LARGEST : Number.isInteger((size / 2 ** exponent) * STEPS);
};

/** Floor of the binary logarithm. */
function exponentOf(size: number): number {
  if (size === 0) return SMALLEST;
  const exponent = Math.floor(Math.log2(size));
  if (2 ** exponent > size) return exponent - 1;
  return 2 ** (exponent + 1) <= size ? exponent + 1 : exponent;
}
