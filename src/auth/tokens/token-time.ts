import type { Config } from '../../platform/config/config.js';

const LONGEST_SECONDS = 600;
const LONGEST_WHEN_ALLOWED_SECONDS = 604_800;

/** */
export const longestTokenSeconds = (config: Pick<Config, 'ALLOW_LONG_TOKENS'>): number =>
  config.ALLOW_LONG_TOKENS ? LONGEST_WHEN_ALLOWED_SECONDS : LONGEST_SECONDS;

/** Tolerated clock lead of an issuer (G-3). */
const TOLERANCE_SECONDS = 5;

/** Seconds since 1970. */
export interface TokenTimes {
  readonly exp: number;
  readonly nbf?: number | undefined;
  readonly iat?: number | undefined;
}

/** G-3: `exp` is not past; `nbf` and `iat`, if present, are at most 5 seconds ahead. */
export function isInForce({ exp, nbf, iat }: TokenTimes, nowSeconds: number): boolean {
  return exp > nowSeconds && isReached(nbf, nowSeconds) && isReached(iat, nowSeconds);
}

const isReached = (instant: number | undefined, nowSeconds: number): boolean =>
  instant === undefined || instant <= nowSeconds + TOLERANCE_SECONDS;
