import { generateKeyPairSync, randomBytes } from 'node:crypto';

import fc from 'fast-check';

import { faultsOf } from '../../../test/support/faults-of.js';
import { ServiceError } from '../../kernel/errors/service-error.js';
import { soundKeys } from './client-keys.js';

const rsa = (modulusLength: number, publicExponent = 65_537) =>
  generateKeyPairSync('rsa', { modulusLength, publicExponent });
const ec = (namedCurve: string) => generateKeyPairSync('ec', { namedCurve });
const RSA = rsa(2048).publicKey.export({ format: 'jwk' });
const P256 = ec('P-256').publicKey.export({ format: 'jwk' });
const ED25519 = generateKeyPairSync('ed25519').publicKey.export({ format: 'jwk' });

const read = (...keys: readonly unknown[]) => soundKeys({ keys }, 'jwks');
const KIND = 'must be an RSA key of 2048 to 8192 bits, an EC key of P-256, P-384 or P-521, or an Ed25519 key';
const SECRET =
  'has the private part of a key; register the public part of another one, as this one is no secret any more';

describe('soundKeys', () => {
  it('reads public keys of each kind, with the kid that they have or else their thumbprint, and nothing else', async () => {
    const kinds = [
      RSA,
      P256,
      ...['P-384', 'P-521'].map((curve) => ec(curve).publicKey.export({ format: 'jwk' })),
      ED25519,
    ];
    const stored = await read(...kinds.map((key) => ({ ...key, x5c: ['MII…'], key_ops: ['verify'], exp: 1 })));
    expect(stored).toEqual(
      kinds.map((key) => ({ ...key, use: 'sig', kid: expect.stringMatching(/^[\w-]{43}$/) as string })),
    );
    expect(await read({ ...RSA, kid: 'a', use: 'sig', alg: 'PS256' }, { ...RSA, kid: 'b' })).toEqual([
      { ...RSA, kid: 'a', use: 'sig', alg: 'PS256' },
      { ...RSA, kid: 'b', use: 'sig' },
    ]);
    expect(await read()).toEqual([]);
  });

  it.each([
    ['RSA', rsa(2048).privateKey.export({ format: 'jwk' }), SECRET],
    ['EC', ec('P-256').privateKey.export({ format: 'jwk' }), SECRET],
    ['Ed25519', generateKeyPairSync('ed25519').privateKey.export({ format: 'jwk' }), SECRET],
    ['symmetric', { kty: 'oct', k: 'AAAA' }, 'is a symmetric key; register public keys alone'],
    ['half private', { ...RSA, dp: 'AQAB' }, SECRET],
    ['a symmetric part of', { ...RSA, k: null }, SECRET],
  ])('refuses a private key, and shows nothing of it: %s', async (_, key, message) => {
    expect(await faultsOf(read(P256, key))).toEqual([`jwks.keys[1]: ${message}`]);
  });

  it.each([
    ['a short modulus', rsa(1024).publicKey.export({ format: 'jwk' })],
    ['a modulus that is dear', { kty: 'RSA', n: randomBytes(2_000).toString('base64url'), e: 'AQAB' }],
    ['an exponent that is dear', { ...RSA, e: randomBytes(200).fill(1, 199).toString('base64url') }],
    ['an exponent of one', { ...RSA, e: 'AQ' }],
    ['an even exponent', { ...RSA, e: 'AQAA' }],
    ['no modulus', { ...RSA, n: '' }],
    ['a number for a modulus', { ...RSA, n: 7 }],
    ['another curve', ec('secp256k1').publicKey.export({ format: 'jwk' })],
    ['a point that is not on the curve', { ...P256, x: 'AAAA' }],
    ['a key that only agrees', generateKeyPairSync('x25519').publicKey.export({ format: 'jwk' })],
    ['a curve of another kind', { ...ED25519, crv: 'Ed448' }],
    ['no kind', { n: RSA.n, e: RSA.e }],
    ['a kind that is none', { ...RSA, kty: '__proto__' }],
  ])('refuses %s', async (_, key) => {
    expect(await faultsOf(read(key))).toEqual([`jwks.keys[0]: ${KIND}`]);
  });

  it('refuses or stores whatever comes, and never a private member', async () => {
    const pairs = [rsa(2048), ec('P-256'), generateKeyPairSync('ed25519')];
    const members = pairs.map(({ privateKey }) => privateKey.export({ format: 'jwk' }));
    const key = fc
      .tuple(
        fc.constantFrom(...members),
        fc.dictionary(fc.constantFrom('kty', 'kid', 'e', 'x', 'use', 'y'), fc.jsonValue()),
      )
      .chain(([of, changes]) =>
        fc.subarray(Object.entries({ ...of, ...changes })).map((kept) => Object.fromEntries(kept)),
      );
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.oneof({ weight: 4, arbitrary: key }, fc.jsonValue()), { maxLength: 3 }),
        async (keys) => {
          const stored = await read(...keys).catch((error: unknown) => {
            if (error instanceof ServiceError && error.code === 'BAD_REQUEST') return [];
            throw error;
          });
          const written = JSON.stringify(stored);
          for (const { d } of members) expect(written).not.toContain(d);
          for (const one of stored) expect(['RSA', 'EC', 'OKP']).toContain(one.kty);
        },
      ),
    );
  });

  it('names every fault of a set', async () => {
    const keys = [
      { ...RSA, use: 'enc' },
      { ...RSA, key_ops: ['encrypt'] },
      { ...P256, alg: 'RS256' },
      { ...P256, kid: '' },
      7,
    ];
    expect(await faultsOf(read(...keys))).toEqual([
      'jwks.keys[0].use: must be "sig"',
      'jwks.keys[1].key_ops: must contain "verify"',
      'jwks.keys[2].alg: must be one of ES256',
      'jwks.keys[3].kid: must be text of 1 to 200 characters without U+0000 and without unpaired surrogates',
      'jwks.keys[4]: must be an object',
    ]);
    expect(await faultsOf(read({ ...RSA, kid: 'a' }, { ...P256, kid: 'a' }))).toEqual([
      'jwks.keys[1].kid: is that of another key of the set',
    ]);
    expect(await faultsOf(read(...Array.from({ length: 6 }, () => RSA)))).toEqual([
      'jwks.keys: must have at most 5 keys',
    ]);
  });

  it('counts the characters of a kid as the API description does, in any script', async () => {
    const adlam = '\u{1E922}'.repeat(200);
    expect(await read({ ...RSA, kid: adlam })).toEqual([{ ...RSA, kid: adlam, use: 'sig' }]);
    expect(await faultsOf(read({ ...RSA, kid: `${adlam}x` }))).toEqual([
      'jwks.keys[0].kid: must be text of 1 to 200 characters without U+0000 and without unpaired surrogates',
    ]);
  });

  it.each([
    [null, 'jwks: must be a JWK Set: {"keys": [...]}'],
    [[RSA], 'jwks: must be a JWK Set: {"keys": [...]}'],
    ['-----BEGIN PUBLIC KEY-----', 'jwks: must be a JWK Set: {"keys": [...]}'],
    [RSA, 'jwks.keys: must be a list of public keys'],
  ])('refuses what is no set: %#', async (jwks, issue) => {
    expect(await faultsOf(soundKeys(jwks, 'jwks'))).toEqual([issue]);
  });
});
