import { createPublicKey, type JsonWebKey, type KeyObject } from 'node:crypto';
import { calculateJwkThumbprint } from 'jose';
import { Faults, memberPath } from '../../kernel/errors/faults.js';
import { isObject, isTextWithin } from '../../kernel/input/checks.js';
import { text } from '../../platform/dto/schemas.js';

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

/** Public key for assertions: a JWK (RFC 7517) with these members only. */
export interface ClientKey {
  readonly kty: 'RSA' | 'EC' | 'OKP';
  readonly kid: string;
  readonly use: 'sig';
  /** Absent: every algorithm of its key type. */
  readonly alg?: AssertionAlgorithm;
  readonly n?: string;
  readonly e?: string;
  readonly crv?: string;
  readonly x?: string;
  readonly y?: string;
}

const MOST_KEYS = 5;
/** In code points. */
export const LONGEST_KID = 200;
/** Modulus bits: smaller is unsafe, larger is expensive to verify. */
const RSA_BITS = { least: 2_048, most: 8_192 };
/** A larger exponent makes verification arbitrarily expensive. */
const LARGEST_EXPONENT = 2n ** 32n;
/** Longest base64url number within these bounds. */
const LONGEST_MEMBER = 1_400;

/** Private members (RFC 7518 6.2.2, 6.3.2, 6.4; RFC 8037 2). */
const PRIVATE = ['d', 'p', 'q', 'dp', 'dq', 'qi', 'oth', 'k'] as const;
const PUBLIC: Readonly<Record<ClientKey['kty'], readonly string[]>> = {
  RSA: ['n', 'e'],
  EC: ['crv', 'x', 'y'],
  OKP: ['crv', 'x'],
};
const isKty = (value: unknown): value is ClientKey['kty'] => typeof value === 'string' && Object.hasOwn(PUBLIC, value);

const HAS_PRIVATE_PART =
  'has the private part of a key; register the public part of another one, as this one is no secret any more';
const KID_EXPECTED = `must be text of 1 to ${LONGEST_KID} characters without U+0000 and without unpaired surrogates`;
const KEY_EXPECTED = `must be an RSA key of ${RSA_BITS.least} to ${RSA_BITS.most} bits, an EC key of P-256, P-384 or P-521, or an Ed25519 key`;

/**
 * Validates a JWK Set (U-10) and returns the public members of its keys, with a `kid`, by default the RFC 7638
 * thumbprint. Throws 400 with one issue for each private, symmetric or weak key, a repeated `kid`, or more than five
 * keys. Ignores other members (RFC 7517 4).
 */
export async function soundKeys(value: unknown, path: string): Promise<readonly ClientKey[]> {
  const faults = new Faults();
  const keys = await readKeys(value, path, faults);
  faults.throwIfAny();
  return keys;
}

/** As `soundKeys`, but adds to `faults`; unusable after any fault. */
export async function readKeys(value: unknown, path: string, faults: Faults): Promise<readonly ClientKey[]> {
  if (isObject(value)) return readKeyList(value['keys'], memberPath(path, 'keys'), faults);
  faults.add(path, 'must be a JWK Set: {"keys": [...]}');
  return [];
}

/** As `readKeys`, for the key list. */
export async function readKeyList(keys: unknown, path: string, faults: Faults): Promise<readonly ClientKey[]> {
  if (!Array.isArray(keys) || keys.length > MOST_KEYS) {
    faults.add(path, Array.isArray(keys) ? `must have at most ${MOST_KEYS} keys` : 'must be a list of public keys');
    return [];
  }
  const read = await Promise.all(keys.map((key, index) => clientKey(key, memberPath(path, index), faults)));
  read.forEach((key, index) => {
    if (key === undefined || read.findIndex((other) => other?.kid === key.kid) === index) return;
    faults.add(memberPath(memberPath(path, index), 'kid'), 'is that of another key of the set');
  });
  return read.filter((key) => key !== undefined);
}

export const publicKeyOf = ({ kty, n, e, crv, x, y }: ClientKey): KeyObject =>
  createPublicKey({ key: { kty, n, e, crv, x, y } as JsonWebKey, format: 'jwk' });

async function clientKey(value: unknown, path: string, faults: Faults): Promise<ClientKey | undefined> {
  const read = isObject(value) ? soundKey(value) : new KeyFault('', 'must be an object');
  if (read instanceof KeyFault) {
    faults.add(read.member === '' ? path : memberPath(path, read.member), read.message);
    return undefined;
  }
  const { key, kid, alg } = read;
  // Exported anew, to drop unknown members.
  const exported = { ...key.export({ format: 'jwk' }), use: 'sig' } as Omit<ClientKey, 'kid'>;
  return { ...exported, kid: kid ?? (await calculateJwkThumbprint(key)), ...(alg !== undefined && { alg }) };
}

class KeyFault {
  constructor(
    readonly member: string,
    readonly message: string,
  ) {}
}

interface SoundKey {
  readonly key: KeyObject;
  readonly kid: string | undefined;
  readonly alg: AssertionAlgorithm | undefined;
}

function soundKey(value: Readonly<Record<string, unknown>>): SoundKey | KeyFault {
  const { kty, alg, use, key_ops: operations, kid } = value;
  if (kty === 'oct') return new KeyFault('', 'is a symmetric key; register public keys alone');
  if (PRIVATE.some((name) => Object.hasOwn(value, name))) return new KeyFault('', HAS_PRIVATE_PART);
  if (use !== undefined && use !== 'sig') return new KeyFault('use', 'must be "sig"');
  if (operations !== undefined && !(Array.isArray(operations) && operations.includes('verify'))) {
    return new KeyFault('key_ops', 'must contain "verify"');
  }
  if (kid !== undefined && !isTextWithin(kid, LONGEST_KID)) return new KeyFault('kid', KID_EXPECTED);
  const key = isKty(kty) ? keyOf(kty, value) : undefined;
  const algorithms = key === undefined || !isStrong(key) ? [] : algorithmsOf(key);
  if (key === undefined || algorithms.length === 0) return new KeyFault('', KEY_EXPECTED);
  const named = algorithms.find((name) => name === alg);
  if (alg !== undefined && named === undefined) return new KeyFault('alg', `must be one of ${algorithms.join(', ')}`);
  return { key, kid, alg: named };
}

/** Undefined if the public members form no key. */
function keyOf(kty: ClientKey['kty'], value: Readonly<Record<string, unknown>>): KeyObject | undefined {
  const members: Record<string, string> = { kty };
  for (const name of PUBLIC[kty]) {
    const member = value[name];
    if (typeof member !== 'string' || member.length > LONGEST_MEMBER) return undefined;
    members[name] = member;
  }
  try {
    return createPublicKey({ key: members, format: 'jwk' });
  } catch {
    return undefined;
  }
}

function isStrong({ asymmetricKeyType, asymmetricKeyDetails }: KeyObject): boolean {
  if (asymmetricKeyType !== 'rsa') return true;
  const { modulusLength = 0, publicExponent = 0n } = asymmetricKeyDetails ?? {};
  const isSoundExponent = publicExponent >= 3n && publicExponent <= LARGEST_EXPONENT && publicExponent % 2n === 1n;
  return modulusLength >= RSA_BITS.least && modulusLength <= RSA_BITS.most && isSoundExponent;
}

/** DTO properties refer to it in `allOf`: otherwise its `required` would count as the property's own. */
export const JWK_SET_SCHEMA = {
  type: 'object' as const,
  description: 'JWK Set (RFC 7517) of the public keys with which the client signs its assertions (`private_key_jwt`)',
  properties: {
    keys: {
      type: 'array' as const,
      maxItems: 5,
      description: 'RSA of 2048 bits or more, EC (P-256, P-384, P-521) or Ed25519; public members alone',
      items: {
        type: 'object' as const,
        properties: {
          kty: { type: 'string', enum: ['RSA', 'EC', 'OKP'] },
          kid: { ...text, minLength: 1, maxLength: LONGEST_KID, description: 'Absent: the RFC 7638 thumbprint' },
          use: { type: 'string', enum: ['sig'] },
          alg: { ...text, description: 'The only algorithm that the key is for; absent: each of its kind' },
          n: text,
          e: text,
          crv: text,
          x: text,
          y: text,
        },
        required: ['kty'],
      },
    },
  },
  required: ['keys'],
};
