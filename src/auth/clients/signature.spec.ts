import { generateKeyPairSync, randomUUID } from 'node:crypto';
import { exportJWK } from 'jose';
import { assertionOf, type SigningPair, signingPair } from '../../../test/support/client-assertion.js';
import { checkedAssertion, isSignedBy, receivedAssertion } from './client-assertions.js';
import { type ClientKey, soundKeys } from './client-keys.js';

const CLIENT_ID = randomUUID();
const AUDIENCE = 'https://register.example.org';

const keysOf = (...keys: readonly object[]): Promise<readonly ClientKey[]> => soundKeys({ keys }, '');

/** Whether one of the keys has signed an assertion by this pair. */
async function isSigned(keys: readonly ClientKey[], by: SigningPair, header: object = {}): Promise<boolean> {
  const received = receivedAssertion(await assertionOf(CLIENT_ID, AUDIENCE, by, {}, header));
  if (received === undefined) throw new Error('the assertion is no JWT');
  const expected = { audiences: [AUDIENCE], clientId: undefined, now: new Date() };
  const assertion = checkedAssertion(received, expected);
  if (!('jws' in assertion)) throw new Error(assertion.reason);
  return isSignedBy(keys, assertion);
}

describe('the signature of an assertion', () => {
  it('is by the key that it names, or by the only one that can have signed if it names none', async () => {
    const [a, b] = [await signingPair('a'), await signingPair('b')];
    const both = await keysOf(a.jwk, b.jwk);
    const unnamed = { kid: undefined };
    expect([await isSigned(both, a), await isSigned(both, b)]).toEqual([true, true]);
    expect([await isSigned(both, a, { kid: 'b' }), await isSigned(both, a, { kid: 'c' })]).toEqual([false, false]);
    expect([await isSigned(both, a, unnamed), await isSigned(both, b, unnamed)]).toEqual([false, false]);
    expect(await isSigned(await keysOf(a.jwk), a, unnamed)).toBe(true);
    expect(await isSigned([], a)).toBe(false);
  });

  it('is by the algorithm that its key is registered for, where it is for one alone', async () => {
    const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2_048 });
    const jwk = { ...(await exportJWK(publicKey)), kid: 'a' };
    const by = (alg: string): SigningPair => ({ alg, kid: 'a', privateKey, jwk });
    const signed = async (keys: readonly ClientKey[]) => [
      await isSigned(keys, by('RS256')),
      await isSigned(keys, by('PS256')),
    ];
    expect(await signed(await keysOf(jwk))).toEqual([true, true]);
    expect(await signed(await keysOf({ ...jwk, alg: 'PS256' }))).toEqual([false, true]);
  });
});
