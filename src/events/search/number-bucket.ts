/** Numbers smaller than 2^-10 are as one, and those from 2^40. */
const SMALLEST = -10;
const LARGEST = 40;
/** Buckets between a power of two and the next. */
const STEPS = 4;

/**
 * A number's bucket: of two numbers the larger has the larger bucket or the same. Whole numbers to 8 have one of their
 * own each, and no bucket of others is wider than a quarter of what it holds; there are some four hundred.
 */
export function bucketOf(number: number): number {
  const size = Math.abs(number);
  const exponent = Math.max(SMALLEST, Math.min(LARGEST, exponentOf(size)));
  if (exponent === SMALLEST) return 0;
  const step = exponent === LARGEST ? 0 : Math.floor((size / 2 ** exponent - 1) * STEPS);
  const bucket = (exponent - SMALLEST) * STEPS + step;
  return number < 0 ? -bucket : bucket;
}

/** The largest power of two that is not larger. */
function exponentOf(size: number): number {
  if (size === 0) return SMALLEST;
  const exponent = Math.floor(Math.log2(size));
  if (2 ** exponent > size) return exponent - 1;
  return 2 ** (exponent + 1) <= size ? exponent + 1 : exponent;
}
