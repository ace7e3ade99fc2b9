import type { KeyObject } from 'node:crypto';
import { createPublicKey, generateKeyPairSync, randomBytes } from 'node:crypto';

import { compactVerify } from 'jose';

import type { AssertionAlgorithm } from './assertion-algorithms.js';
import { algorithmsOf } from './assertion-algorithms.js';
import type { ClientAssertion } from './client-assertion.js';
import type { ClientKey } from './client-keys.js';
import { publicKeyOf } from './client-keys.js';

/** Read once for each key that is followed in memory. */
const READ = new WeakMap<ClientKey, KeyObject>();

/**
 * Whether one of the keys has signed the assertion: the one that it names, or the only one that can have if it names
 * none. At most one signature is verified; and one is if there is no such key, so that the time does not tell.
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

/** A key that nobody signs with. */
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

/** Of 2,048 bits: a modulus for verifying, at no cost. Its factors, were there such a key, are unknown to everybody. */
function oddNumber(): Buffer {
  const bytes = randomBytes(256);
  bytes.writeUInt8(bytes.readUInt8(0) | 0x80, 0);
  bytes.writeUInt8(bytes.readUInt8(255) | 1, 255);
  return bytes;
}
