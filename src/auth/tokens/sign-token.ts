import type { JWTPayload } from 'jose';
import { SignJWT } from 'jose';

import type { SigningKeys } from './signing-keys.js';

/** RS256 under the current signing key. */
export async function signToken(keys: Pick<SigningKeys, 'current' | 'signing'>, claims: JWTPayload): Promise<string> {
  await keys.current();
  const { kid, privateKey } = keys.signing();
  return new SignJWT(claims).setProtectedHeader({ alg: 'RS256', typ: 'JWT', kid }).sign(privateKey);
}
