import type { TokenTimes } from './token-time.js';

/** RFC 7519 4.1. Tokens made elsewhere with the same key may lack some; wrongly typed claims count as lacking. */
export interface RegisteredClaims extends TokenTimes {
  readonly iss: string | undefined;
  readonly sub: string | undefined;
  readonly aud: string | readonly string[] | undefined;
  readonly jti: string | undefined;
}

/** Undefined if the claims are no object or have invalid times (G-3). */
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
