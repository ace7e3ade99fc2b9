import { decodeJwt } from 'jose';

import type { AccessClaims } from '../../../src/auth/token/access-claims.js';
import { readAccessClaims } from '../../../src/auth/token/access-claims.js';

/** The claims of an access token, as the service reads them. */
export function claimsOf(token: string): AccessClaims {
  const claims = readAccessClaims(decodeJwt(token));
  if (claims === undefined) throw new Error('these are not the claims of a token');
  return claims;
}
