import fc from 'fast-check';

import { AssertionFault, checkedAssertion, receivedAssertion } from './client-assertions.js';

const ID = '3b6a2c1e-7f41-4a57-9d0c-2f8f1f6f0a11';
const HERE = 'https://register.example.org';
const AUDIENCES = [HERE, `${HERE}/auth/token`];
const NOW = 1_790_000_000;

const HEADER = { alg: 'RS256', kid: 'a' };
const CLAIMS = { iss: ID, sub: ID, aud: HERE, jti: 'j', iat: NOW, exp: NOW + 60 };

const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');
const jwsOf = (claims: object, header: object): string => `${part(header)}.${part(claims)}.c2lnbmF0dXJl`;

function check(claims: object = {}, header: object = {}, clientId?: string): unknown {
  const received = receivedAssertion(jwsOf({ ...CLAIMS, ...claims }, { ...HEADER, ...header }));
  if (received === undefined) return 'no JWT';
  const outcome = checkedAssertion(received, { audiences: AUDIENCES, clientId, now: new Date(NOW * 1_000) });
  return outcome instanceof AssertionFault ? outcome.reason : { ...outcome, jws: undefined };
}

const SOUND = { clientId: ID, algorithm: 'RS256', kid: 'a', jti: 'j', expiresAt: NOW + 60 };

describe('an assertion', () => {
  it.each([
    ['with everything', {}, {}],
    ['for the token endpoint', { aud: `${HERE}/auth/token` }, {}],
    ['for both of our names', { aud: AUDIENCES }, {}],
    ['without iat', { iat: undefined }, {}],
    ['with an id in capitals', { iss: ID.toUpperCase(), sub: ID.toUpperCase() }, {}],
    ['whose client is half a minute ahead', { iat: NOW + 30, nbf: NOW + 30 }, {}],
    ['of the type of its RFC', {}, { typ: 'JWT' }],
    ['of the type of the revised RFC', {}, { typ: 'client-authentication+jwt' }],
  ])('is sound %s', (_, claims, header) => {
    expect(check(claims, header)).toEqual(SOUND);
  });

  it('is sound beside its own client_id, without kid, with any public-key algorithm, for five minutes', () => {
    expect(check({}, {}, ID.toUpperCase())).toEqual(SOUND);
    expect(check({}, { kid: undefined })).toEqual({ ...SOUND, kid: undefined });
    const adlam = '\u{1E922}'.repeat(200);
    expect(check({}, { kid: adlam })).toEqual({ ...SOUND, kid: adlam });
    expect(check({}, { alg: 'Ed25519' })).toEqual({ ...SOUND, algorithm: 'Ed25519' });
    expect(check({ exp: NOW + 300 })).toEqual({ ...SOUND, expiresAt: NOW + 300 });
  });

  it.each<[string, object]>([
    ['its sub is no client id', { sub: 'health' }],
    ['its sub is no client id', { sub: undefined }],
    ['its iss is not its sub', { iss: 'c5f0b4a0-2f0e-4a52-9d5e-0a3a5f1c7b11' }],
    ['its iss is not its sub', { iss: undefined }],
    ['its aud is not this service', { aud: 'https://other.example.org' }],
    ['its aud is not this service', { aud: [HERE, 'https://other.example.org'] }],
    ['its aud is not this service', { aud: [] }],
    ['its aud is not this service', { aud: undefined }],
    ['its aud is not this service', { aud: { 0: HERE } }],
    ['its jti is no text of 1 to 256 characters', { jti: undefined }],
    ['its jti is no text of 1 to 256 characters', { jti: '' }],
    ['its jti is no text of 1 to 256 characters', { jti: 'x'.repeat(257) }],
    ['its jti is no text of 1 to 256 characters', { jti: 'a\u0000' }],
    ['its jti is no text of 1 to 256 characters', { jti: 7 }],
    ['it has expired', { exp: NOW }],
    ['it lives longer than 300 s', { iat: undefined, exp: NOW + 331 }],
    ['it lives longer than 300 s', { iat: NOW - 1, exp: NOW + 300 }],
    ['its iat is in the future', { iat: NOW + 31 }],
    ['its nbf is in the future', { nbf: NOW + 31 }],
    ['its exp, iat or nbf is no time', { exp: undefined }],
    ['its exp, iat or nbf is no time', { exp: `${NOW + 60}` }],
    ['its exp, iat or nbf is no time', { exp: -1 }],
    ['its exp, iat or nbf is no time', { iat: 'now' }],
    ['its exp, iat or nbf is no time', { nbf: null }],
  ])('is refused: %s', (reason, claims) => {
    expect(check(claims)).toBe(reason);
  });

  it.each<[string, object]>([
    ['its alg is not one that is accepted', { alg: undefined }],
    ['its alg is not one that is accepted', { alg: 'none' }],
    ['its alg is not one that is accepted', { alg: 'NONE' }],
    ['its alg is not one that is accepted', { alg: 'HS256' }],
    ['its alg is not one that is accepted', { alg: 'RS1' }],
    ['its alg is not one that is accepted', { alg: ['RS256'] }],
    ['its typ is that of another JWT', { typ: 'at+jwt' }],
    ['its typ is that of another JWT', { typ: 7 }],
    ['its header has crit', { crit: ['b64'], b64: false }],
    ['its kid is no text of a sensible length', { kid: 'k'.repeat(201) }],
    ['its kid is no text of a sensible length', { kid: { $ne: null } }],
  ])('is refused by its header: %s', (reason, header) => {
    expect(check({}, header)).toBe(reason);
  });

  it.each(['c5f0b4a0-2f0e-4a52-9d5e-0a3a5f1c7b11', 'health'])('is refused beside client_id=%s', (clientId) => {
    expect(check({}, {}, clientId)).toBe('client_id of the request is not its sub');
  });

  it.each(['', 'a.b', 'a.b.c', 'a.b.c.d.e', `${part([])}.${part([])}.x`, '{"alg":"RS256"}', 'ä.ö.ü'])(
    'is none: %j',
    (text) => {
      expect(receivedAssertion(text)).toBeUndefined();
    },
  );

  it('is refused, or sound for its own client, whatever is in it', () => {
    const changes = fc.dictionary(
      fc.constantFrom('sub', 'iss', 'aud', 'jti', 'exp', 'iat', 'nbf', 'alg', 'kid', 'typ'),
      fc.jsonValue(),
    );
    fc.assert(
      fc.property(changes, changes, (claims, header) => {
        const outcome = check(claims, header);
        if (typeof outcome !== 'string') expect(outcome).toMatchObject({ clientId: ID });
      }),
    );
    fc.assert(
      fc.property(fc.string(), (text) => {
        expect(receivedAssertion(text)).toBeUndefined();
      }),
    );
  });

  it('is none if it is longer than one needs to be', () => {
    expect(receivedAssertion(jwsOf({ ...CLAIMS, more: 'x'.repeat(8_192) }, HEADER))).toBeUndefined();
  });
});
