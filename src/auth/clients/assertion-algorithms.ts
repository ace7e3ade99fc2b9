import type { KeyObject } from 'node:crypto';

const RSA = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512'] as const;
const ED25519 = ['EdDSA', 'Ed25519'] as const;

/** Public-key signatures only (U-10). */
export const ASSERTION_ALGORITHMS = [...RSA, 'ES256', 'ES384', 'ES512', ...ED25519] as const;

export type AssertionAlgorithm = (typeof ASSERTION_ALGORITHMS)[number];

/** Keys are OpenSSL's curve names. */
const BY_CURVE: Readonly<Record<string, AssertionAlgorithm>> = {
  prime256v1: 'ES256',
  secp384r1: 'ES384',
  secp521r1: 'ES512',
};

export const isAssertionAlgorithm = (value: unknown): value is AssertionAlgorithm =>
  ASSERTION_ALGORITHMS.some((name) => name === value);

/** Empty for an unsupported key type. */
export function algorithmsOf({ asymmetricKeyType, asymmetricKeyDetails }: KeyObject): readonly AssertionAlgorithm[] {
  if (asymmetricKeyType === 'rsa') return RSA;
  if (asymmetricKeyType === 'ed25519') return ED25519;
  const ofCurve = BY_CURVE[asymmetricKeyDetails?.namedCurve ?? ''];
  return asymmetricKeyType === 'ec' && ofCurve !== undefined ? [ofCurve] : [];
}
