import type { KeyObject } from 'node:crypto';

const RSA = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512'] as const;
const ED25519 = ['EdDSA', 'Ed25519'] as const;

/** What client assertions may be signed with: public-key signatures alone (U-10). */
export const ASSERTION_ALGORITHMS = [...RSA, 'ES256', 'ES384', 'ES512', ...ED25519] as const;

/** The name of one of them (`alg`). */
export type AssertionAlgorithm = (typeof ASSERTION_ALGORITHMS)[number];

/** By the name that OpenSSL has for the curve. */
const BY_CURVE: Readonly<Record<string, AssertionAlgorithm>> = {
  prime256v1: 'ES256',
  secp384r1: 'ES384',
  secp521r1: 'ES512',
};

/** Whether it is the name of an algorithm that is accepted. */
export const isAssertionAlgorithm = (value: unknown): value is AssertionAlgorithm =>
  ASSERTION_ALGORITHMS.some((name) => name === value);

/** The algorithms of a key; none for a kind of key that is not accepted. */
export function algorithmsOf({ asymmetricKeyType, asymmetricKeyDetails }: KeyObject): readonly AssertionAlgorithm[] {
  if (asymmetricKeyType === 'rsa') return RSA;
  if (asymmetricKeyType === 'ed25519') return ED25519;
  const ofCurve = BY_CURVE[asymmetricKeyDetails?.namedCurve ?? ''];
  return asymmetricKeyType === 'ec' && ofCurve !== undefined ? [ofCurve] : [];
}
