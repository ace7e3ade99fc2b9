/** The slowest answers of either kind tell of other programs. */
const SLOWEST = 0.05;
/** What a network hides a hundred times over, in milliseconds, and as a share of an answer. */
const NOISE_MS = 0.25;
const NOISE_SHARE = 0.03;
/** Welch's t, past which two means hardly differ by chance: less than once in ten thousand comparisons. */
const T = 4;

interface Sample {
  readonly mean: number;
  /** The variance of the mean. */
  readonly variance: number;
}

function sampleOf(all: readonly number[]): Sample {
  const kept = all.toSorted((a, b) => a - b).slice(0, Math.ceil(all.length * (1 - SLOWEST)));
  const mean = kept.reduce((sum, ms) => sum + ms, 0) / kept.length;
  const squares = kept.reduce((sum, ms) => sum + (ms - mean) ** 2, 0);
  return { mean, variance: squares / (kept.length - 1) / kept.length };
}

/**
 * The means of two series of times, in milliseconds. Throws where they tell the one from the other: by more than this
 * share, and not by chance.
 */
export function sameTimes(one: readonly number[], other: readonly number[], share = NOISE_SHARE): string {
  const [a, b] = [sampleOf(one), sampleOf(other)];
  const difference = Math.abs(a.mean - b.mean);
  const t = difference / Math.sqrt(a.variance + b.variance);
  const told = `${a.mean.toFixed(2)} ms and ${b.mean.toFixed(2)} ms, t ${t.toFixed(1)}`;
  if (t > T && difference > Math.max(NOISE_MS, share * b.mean)) throw new Error(`their times differ: ${told}`);
  return told;
}
