import { createHmac, generateKeyPairSync, randomBytes, sign } from 'node:crypto';

import type { RunningApplication } from '../support/application.js';
import { startApplication } from '../support/application.js';
import { eventually } from '../support/eventually.js';

const SECRETS_KEY = randomBytes(32).toString('base64');

let service: RunningApplication;
beforeAll(async () => {
  service = await startApplication({ env: { SECRETS_KEY } });
});
afterAll(() => service.stop());

const ask = (headers: Record<string, string | readonly string[]>) =>
  service.request('POST', '/deactivateSystemClient', { listener: 'internal', headers, body: {} });
const askWith = (token: string) => ask({ authorization: `Bearer ${token}` });

const INVALID = {
  status: 401,
  challenge: 'Bearer error="invalid_token"',
  json: { message: 'The access token is not valid', code: 'UNAUTHORIZED' },
};
const seen = ({ status, headers, json }: Awaited<ReturnType<typeof ask>>) => ({
  status,
  challenge: headers['www-authenticate'],
  json,
});

const inSeconds = (seconds: number): number => Math.floor(Date.now() / 1_000) + seconds;
const encoded = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');
/** A token put together by hand: whatever header, signed by whatever means. */
const forged = (
  header: object,
  signature: (input: string) => Buffer,
  claims = encoded(service.issuer.claims()),
): string => {
  const input = `${encoded(header)}.${claims}`;
  return `${input}.${signature(input).toString('base64url')}`;
};
const rs256 = (input: string): Buffer => sign('RSA-SHA256', Buffer.from(input), service.issuer.privateKey);

type Changes = Readonly<Record<string, unknown>>;
/** What a token is like, with what its claims and its header have otherwise: times are reckoned when it is made. */
type Kind = readonly [string, Changes | (() => Changes), Changes];
const claimsOf = (changes: Kind[1]): Changes => (typeof changes === 'function' ? changes() : changes);

/** The request passes the guard: what it lacks is a client id. */
const ACCEPTED = 400;

describe('an access token', () => {
  it.each(['Bearer', 'bearer', 'BEARER'])('is read after the scheme %s', async (scheme) => {
    expect((await ask({ authorization: `${scheme} ${await service.issuer.token()}` })).status).toBe(ACCEPTED);
  });

  it.each<Kind>([
    ['without a kid', {}, { kid: undefined }],
    ['with another of our audiences', { aud: 'opencrvs:search-user' }, {}],
    ['with foreign audiences beside ours', { aud: ['x', 'opencrvs:events-user'] }, {}],
    ['that begins within the tolerance', () => ({ nbf: inSeconds(3), iat: inSeconds(3) }), {}],
    ['without iat', { iat: undefined }, {}],
  ])('%s is accepted', async (_, claims, header) => {
    expect((await askWith(await service.issuer.token(claimsOf(claims), header))).status).toBe(ACCEPTED);
  });

  it.each<Kind>([
    ['that has expired', () => ({ exp: inSeconds(0) }), {}],
    ['without exp', { exp: undefined }, {}],
    ['that begins later', () => ({ nbf: inSeconds(30) }), {}],
    ['that was issued later', () => ({ iat: inSeconds(30) }), {}],
    ['of another issuer', { iss: 'opencrvs:other' }, {}],
    ['without an issuer', { iss: undefined }, {}],
    ['for another audience', { aud: ['opencrvs:other-user'] }, {}],
    ['without an audience', { aud: undefined }, {}],
    ['without a subject', { sub: undefined }, {}],
    ['without a user type', { userType: undefined }, {}],
    ['whose scope is a text', { scope: 'natlsysadmin' }, {}],
    ['of a client that does not exist', { userType: 'system', sub: 'b2b6a5d0-6f6c-4f0e-8f57-0c6c7a3b9f11' }, {}],
    ['with an unknown kid', {}, { kid: 'other' }],
    ['that asks for an extension', {}, { crit: ['b64'], b64: true }],
  ])('%s is refused', async (_, claims, header) => {
    expect(seen(await askWith(await service.issuer.token(claimsOf(claims), header)))).toEqual(INVALID);
  });

  it('of no algorithm is refused', async () => {
    const none = forged({ alg: 'none', typ: 'JWT' }, () => Buffer.alloc(0));
    expect([seen(await askWith(none)), seen(await askWith(none.replace(/\.$/, '')))]).toEqual([INVALID, INVALID]);
  });

  it.each(['spki-pem', 'spki-der', 'pkcs1-pem'] as const)(
    'signed as HS256 with the public key (%s) is refused',
    async (kind) => {
      const { publicKey } = service.issuer;
      const secret =
        kind === 'spki-der'
          ? publicKey.export({ type: 'spki', format: 'der' })
          : publicKey.export({ type: kind === 'spki-pem' ? 'spki' : 'pkcs1', format: 'pem' });
      const header = { ...(await service.issuer.header()), alg: 'HS256' };
      const token = forged(header, (input) => createHmac('sha256', secret).update(input).digest());
      expect(seen(await askWith(token))).toEqual(INVALID);
    },
  );

  it('signed with another key, or another RSA scheme, is refused', async () => {
    const header = await service.issuer.header();
    const other = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey;
    const tokens = [
      forged(header, (input) => sign('RSA-SHA256', Buffer.from(input), other)),
      forged({ ...header, alg: 'RS512' }, (input) => sign('RSA-SHA512', Buffer.from(input), service.issuer.privateKey)),
      forged({ ...header, jwk: other.export({ format: 'jwk' }) }, (input) =>
        sign('RSA-SHA256', Buffer.from(input), other),
      ),
    ];
    expect(await Promise.all(tokens.map(async (token) => seen(await askWith(token))))).toEqual([
      INVALID,
      INVALID,
      INVALID,
    ]);
    // The means themselves are sound: this one is right.
    expect((await askWith(forged(header, rs256))).status).toBe(ACCEPTED);
  });

  it.each(['', 'a', 'a.b', 'a.b.c', 'e30.e30.', '....', 'null', 'x'.repeat(15_000), 'y'.repeat(30_000)])(
    'that is garbage is refused: %.20s',
    async (token) => {
      expect(seen(await askWith(token))).toEqual(INVALID);
    },
  );

  it.each(['null', '1', 'true', '"text"', '[]', '{', ''])(
    'signed with our key, whose claims are %j, is refused',
    async (claims) => {
      for (const typ of ['JWT', undefined]) {
        const header = { ...(await service.issuer.header()), typ };
        const token = forged(header, rs256, Buffer.from(claims).toString('base64url'));
        expect(seen(await askWith(token))).toEqual(INVALID);
      }
    },
  );

  it.each([
    ['Basic', 'Basic YTpi'],
    ['the raw token', 'TOKEN'],
    ['a list', 'Bearer TOKEN, Bearer TOKEN'],
    ['two headers', ['Bearer TOKEN', 'Bearer TOKEN']],
  ])('in the wrong form is refused: %s', async (_, authorization) => {
    const token = await service.issuer.token();
    const headers = [authorization].flat().map((header) => header.replaceAll('TOKEN', token));
    expect(seen(await ask({ authorization: headers }))).toEqual(INVALID);
  });

  it('in the URL or a cookie is no token', async () => {
    const token = await service.issuer.token();
    const answers = [
      await ask({}),
      await ask({ cookie: `token=${token}; access_token=${token}` }),
      await service.request('POST', `/deactivateSystemClient?access_token=${token}&token=${token}`, {
        listener: 'internal',
        body: {},
      }),
    ];
    const missing = {
      status: 401,
      challenge: 'Bearer',
      json: { message: 'Authorization not provided', code: 'UNAUTHORIZED' },
    };
    expect(answers.map(seen)).toEqual([missing, missing, missing]);
  });

  it('without the permission is refused as insufficient', async () => {
    const tokens = [
      await service.issuer.token({ scope: [] }),
      await service.issuer.token({ scope: ['recordsearch', 'nonsense'] }),
      (await service.registerClient('HEALTH')).token,
    ];
    const insufficient = {
      status: 403,
      challenge: 'Bearer error="insufficient_scope"',
      json: {
        message: 'Insufficient access',
        code: 'FORBIDDEN',
        issues: [{ message: 'authorization: the access token lacks the permission sysadmin' }],
      },
    };
    expect(await Promise.all(tokens.map(async (token) => seen(await askWith(token))))).toEqual([
      insufficient,
      insufficient,
      insufficient,
    ]);
  });

  it('of a client that was deactivated is refused at once, and accepted again with the client', async () => {
    const { clientId, token } = await service.registerClient('HEALTH');
    const change = async (path: string) =>
      service.request('POST', path, {
        listener: 'internal',
        token: await service.issuer.token(),
        body: { client_id: clientId },
      });
    const before = await askWith(token);
    await change('/deactivateSystemClient');
    const after = seen(await askWith(token));
    await change('/reactivateSystemClient');
    expect([before.status, after, (await askWith(token)).status]).toEqual([403, INVALID, 403]);
  });

  it('of a client that another process deactivated is refused, too', async () => {
    const other = await startApplication({ database: service.database, env: { SECRETS_KEY } });
    try {
      const { clientId, token } = await service.registerClient('HEALTH');
      const there = async () => {
        const headers = { authorization: `Bearer ${token}` };
        const answer = await other.request('POST', '/deactivateSystemClient', { listener: 'internal', headers });
        return answer.status;
      };
      await eventually('the client is known there', async () => (await there()) === 403);
      await service.request('POST', '/deactivateSystemClient', {
        listener: 'internal',
        token: await service.issuer.token(),
        body: { client_id: clientId },
      });
      await eventually('it is refused there', async () => (await there()) === 401);
    } finally {
      await other.stop();
    }
  });
});

describe('two Authorization headers at the token endpoint (A-1)', () => {
  it('are refused if both are HTTP Basic; a bearer token beside it is passed over', async () => {
    const [one, other] = [await service.registerClient('HEALTH'), await service.registerClient('HEALTH')];
    const basic = ({ clientId, clientSecret }: typeof one): string =>
      `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}`;
    const answers = await Promise.all(
      [
        [basic(one), basic(other)],
        [`Bearer ${other.token}`, basic(one)],
      ].map((authorization) =>
        service.request('POST', '/token', { headers: { authorization }, body: { grant_type: 'client_credentials' } }),
      ),
    );
    expect(answers.map(({ status, json }) => [status, (json as { error?: string }).error])).toEqual([
      [400, 'invalid_request'],
      [200, undefined],
    ]);
  });
});
