/** How measurements are spread, in their own unit. */
export interface Spread {
  readonly runs: number;
  readonly p50: number;
  readonly p95: number;
  readonly p99: number;
  readonly most: number;
}

/** Throws when there are none. With fewer than a hundred, `p99` is the most. */
export function spreadOf(values: readonly number[]): Spread {
  const sorted = [...values].sort((a, b) => a - b);
  const at = (share: number): number => sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? NaN;
  if (sorted.length === 0) throw new RangeError('nothing was measured');
  return { runs: sorted.length, p50: at(0.5), p95: at(0.95), p99: at(0.99), most: at(1) };
}

export const medianOf = (values: readonly number[]): number => spreadOf(values).p50;

/** The least value that so large a share of them does not exceed; NaN of none. */
export const percentileOf = (values: readonly number[], share: number): number =>
  values.toSorted((a, b) => a - b)[Math.max(0, Math.ceil(share * values.length) - 1)] ?? NaN;
