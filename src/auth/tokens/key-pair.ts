import type { KeyObject } from 'node:crypto';
import { createPrivateKey, createPublicKey, generateKeyPair } from 'node:crypto';
import { promisify } from 'node:util';

import { calculateJwkThumbprint } from 'jose';

const MODULUS_BITS = 2048;

export interface KeyPair {
  /** RFC 7638 thumbprint. */
  readonly kid: string;
  /** SPKI PEM. */
  readonly publicKey: string;
  /** PKCS#8 PEM. */
  readonly privateKey: string;
}

/** RSA, 2,048 bits. */
export async function makeKeyPair(): Promise<KeyPair> {
  const { privateKey } = await promisify(generateKeyPair)('rsa', { modulusLength: MODULUS_BITS });
  return keyPairOf(privateKey);
}

export const keyPairOfPem = (pem: string): Promise<KeyPair> => keyPairOf(createPrivateKey(pem));

async function keyPairOf(privateKey: KeyObject): Promise<KeyPair> {
  const publicKey = createPublicKey(privateKey);
  return {
    kid: await calculateJwkThumbprint(publicKey),
    publicKey: publicKey.export({ type: 'spki', format: 'pem' }).toString(),
    privateKey: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
  };
}
