import type { KeyObject } from 'node:crypto';
import { generateKeyPairSync, randomUUID } from 'node:crypto';

import type { JWK } from 'jose';
import { exportJWK, SignJWT } from 'jose';

/** RFC 7523 2.2. */
const JWT_BEARER = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer';

/** A key of a client: to sign with, and to register. */
export interface SigningPair {
  readonly alg: string;
  readonly kid: string;
  readonly privateKey: KeyObject;
  readonly jwk: JWK;
}

/** A new EC key for ES256: the cheapest to make. */
export async function signingPair(kid = 'a'): Promise<SigningPair> {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  return { alg: 'ES256', kid, privateKey, jwk: { ...(await exportJWK(publicKey)), kid } };
}

/** An assertion of a client with its key; `claims` and `header` change what it says. */
export function assertionOf(
  clientId: string,
  audience: string,
  { privateKey, alg, kid }: Pick<SigningPair, 'privateKey' | 'alg' | 'kid'>,
  claims: object = {},
  header: object = {},
): Promise<string> {
  const now = Math.floor(Date.now() / 1_000);
  const own = { iss: clientId, sub: clientId, aud: audience, jti: randomUUID(), iat: now, exp: now + 60 };
  return new SignJWT({ ...own, ...claims }).setProtectedHeader({ alg, kid, ...header }).sign(privateKey);
}

/** The parameters of a token request by an assertion. */
export const assertionParameters = (client_assertion: string): Record<string, string> => ({
  grant_type: 'client_credentials',
  client_assertion_type: JWT_BEARER,
  client_assertion,
});
