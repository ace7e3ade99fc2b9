import type { KeyObject } from 'node:crypto';
import { createPublicKey, generateKeyPairSync, randomBytes } from 'node:crypto';

import { compactVerify } from 'jose';

import type { AssertionAlgorithm } from './assertion-algorithms.js';
import { algorithmsOf } from './assertion-algorithms.js';
import type { ClientAssertion } from './client-assertion.js';
import type { ClientKey } from './client-keys.js';
import { publicKeyOf } from './client-keys.js';

const READ = new WeakMap<ClientKey, KeyObject>();

/**
 * Verifies with the named key, or the only suitable one; one signature even if no key matches, to keep the time equal.
 */
export async function isSignedBy(
  keys: readonly ClientKey[],
  { jws, kid, algorithm }: ClientAssertion,
): Promise<boolean> {
  const [key, ...others] = keys.filter((one) => (kid === undefined || one.kid === kid) && fits(one, algorithm));
  const chosen = key !== undefined && others.length === 0 ? readKey(key) : undefined;
  const verified = await compactVerify(jws, chosen ?? nobodysKey(algorithm), { algorithms: [algorithm] }).then(
    () => true,
    () => false,
  );
  return verified && chosen !== undefined;
}

const fits = (key: ClientKey, algorithm: AssertionAlgorithm): boolean =>
  key.alg === undefined ? algorithmsOf(readKey(key)).includes(algorithm) : key.alg === algorithm;

function readKey(key: ClientKey): KeyObject {
  const known = READ.get(key) ?? publicKeyOf(key);
  READ.set(key, known);
  return known;
}

const NOBODYS = new Map<AssertionAlgorithm, KeyObject>();

function nobodysKey(algorithm: AssertionAlgorithm): KeyObject {
  const known = NOBODYS.get(algorithm) ?? madeKey(algorithm);
  NOBODYS.set(algorithm, known);
  return known;
}

function madeKey(algorithm: AssertionAlgorithm): KeyObject {
  switch (algorithm) {
    case 'ES256':
      return generateKeyPairSync('ec', { namedCurve: 'P-256' }).publicKey;
    case 'ES384':
      return generateKeyPairSync('ec', { namedCurve: 'P-384' }).publicKey;
    case 'ES512':
      return generateKeyPairSync('ec', { namedCurve: 'P-521' }).publicKey;
    case 'EdDSA':
    case 'Ed25519':
      return generateKeyPairSync('ed25519').publicKey;
    default:
      return createPublicKey({ key: { kty: 'RSA', n: oddNumber().toString('base64url'), e: 'AQAB' }, format: 'jwk' });
  }
}

/** A free 2,048-bit modulus for verification, with unknown factors. */
function oddNumber(): Buffer {
  const bytes = randomBytes(256);
  bytes.writeUInt8(bytes.readUInt8(0) | 0x80, 0);
  bytes.writeUInt8(bytes.readUInt8(255) | 1, 255);
  return bytes;
}
