/** How far the clock of a token's issuer may be ahead of ours (G-3). */
const TOLERANCE_SECONDS = 5;

/**
 * Whether a token is in force according to its claims (G-3): `exp` is present and not past; `nbf` and `iat`, if
 * present, are at most 5 seconds ahead.
 */
export function isInForce(claims: unknown, nowSeconds: number): boolean {
  if (typeof claims !== 'object' || claims === null) return false;
  const { exp, nbf, iat } = claims as Readonly<Record<string, unknown>>;
  return typeof exp === 'number' && exp > nowSeconds && isReached(nbf, nowSeconds) && isReached(iat, nowSeconds);
}

const isReached = (instant: unknown, nowSeconds: number): boolean =>
  instant === undefined || (typeof instant === 'number' && instant <= nowSeconds + TOLERANCE_SECONDS);
