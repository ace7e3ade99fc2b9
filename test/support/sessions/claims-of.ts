import { decodeJwt } from 'jose';
import { type AccessClaims, readAccessClaims } from '../../../src/auth/tokens/access-claims.js';

/** The claims of an access token, as the service reads them. */
export function claimsOf(token: string): AccessClaims {
  const claims = readAccessClaims(decodeJwt(token));
  if (claims === undefined) throw new Error('these are not the claims of a token');
  return claims;
}
