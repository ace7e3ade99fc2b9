import type { TokenTimes } from './token-time.js';

/**
 * The claims of RFC 7519 4.1 that our tokens have. A token that was made elsewhere with the same key may lack some; one
 * of another type than it must have counts as lacking.
 */
export interface RegisteredClaims extends TokenTimes {
  readonly iss: string | undefined;
  readonly sub: string | undefined;
  readonly aud: string | readonly string[] | undefined;
  readonly jti: string | undefined;
}

/** Reads them from the claims of a token; undefined if these are no object, or its times are none (G-3). */
export function readRegisteredClaims(claims: unknown): RegisteredClaims | undefined {
  if (typeof claims !== 'object' || claims === null) return undefined;
  const { iss, sub, aud, jti, exp, nbf, iat } = claims as Readonly<Record<string, unknown>>;
  if (typeof exp !== 'number' || !isInstantOrAbsent(nbf) || !isInstantOrAbsent(iat)) return undefined;
  return { iss: textIn(iss), sub: textIn(sub), aud: audienceIn(aud), jti: textIn(jti), exp, nbf, iat };
}

const isInstantOrAbsent = (value: unknown): value is number | undefined =>
  value === undefined || typeof value === 'number';

const textIn = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);

const audienceIn = (value: unknown): string | readonly string[] | undefined =>
  Array.isArray(value) ? value.filter((item) => typeof item === 'string') : textIn(value);
