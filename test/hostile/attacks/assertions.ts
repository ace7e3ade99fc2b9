import type { KeyObject } from 'node:crypto';
import { createHmac, generateKeyPairSync, randomUUID } from 'node:crypto';

import type { JWTPayload } from 'jose';
import { exportJWK, SignJWT, UnsecuredJWT } from 'jose';

import type { Answer, Arena } from '../arena.js';
import { only, statuses, times } from '../arena.js';
import type { Attack } from '../attack.js';
import { fromAnywhere } from '../people.js';
import { PUBLIC_URL } from '../settings.js';

const TYPE = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer';

/** A client that authenticates by signing. */
class SigningClient {
  private constructor(
    private readonly arena: Arena,
    readonly id: string,
    readonly privateKey: KeyObject,
    readonly publicKey: KeyObject,
  ) {}

  static async register(arena: Arena): Promise<SigningClient> {
    const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
    const jwks = { keys: [{ ...(await exportJWK(publicKey)), kid: 'one', alg: 'RS256', use: 'sig' }] };
    const token = await arena.issuer.token();
    const answer = await arena.post('/registerSystemClient', {
      ...{ body: { scope: 'RECORD_SEARCH', jwks }, token, listener: 'internal' },
    });
    only([answer], [201]);
    return new SigningClient(
      arena,
      (JSON.parse(answer.text) as { client_id: string }).client_id,
      privateKey,
      publicKey,
    );
  }

  /** The claims of a good assertion, but for these. */
  claims(changes: JWTPayload = {}): JWTPayload {
    const now = Math.floor(Date.now() / 1_000);
    const claims = { iss: this.id, sub: this.id, aud: PUBLIC_URL, jti: randomUUID(), iat: now, exp: now + 60 };
    return { ...claims, ...changes };
  }

  sign(changes: JWTPayload = {}, { key = this.privateKey, header = {} } = {}): Promise<string> {
    return new SignJWT(this.claims(changes)).setProtectedHeader({ alg: 'RS256', kid: 'one', ...header }).sign(key);
  }

  present(assertion: string, more: Readonly<Record<string, string>> = {}): Promise<Answer> {
    const body = {
      grant_type: 'client_credentials',
      client_assertion_type: TYPE,
      client_assertion: assertion,
      ...more,
    };
    return this.arena.post('/auth/token', { body, headers: fromAnywhere() });
  }
}

/** Throws unless exactly one of them was answered 200, and the others 401. */
function once(answers: readonly Answer[]): string {
  only(answers, [200, 401]);
  const taken = answers.filter(({ status }) => status === 200).length;
  if (taken !== 1) throw new Error(`it was taken ${taken} times`);
  return statuses(answers);
}

export const ASSERTION_ATTACKS: readonly Attack[] = [
  {
    attack: 'one client assertion, 100 times at once and again',
    act: async (arena) => {
      const client = await SigningClient.register(arena);
      const assertion = await client.sign();
      const answers = await Promise.all(times(100, () => client.present(assertion)));
      only([await client.present(assertion)], [401]);
      return once(answers);
    },
  },
  {
    attack: '25 kinds of forged, foreign, expired and odd client assertions',
    act: async (arena) => {
      const [client, other] = [await SigningClient.register(arena), await SigningClient.register(arena)];
      const now = Math.floor(Date.now() / 1_000);
      const own = generateKeyPairSync('rsa', { modulusLength: 2048 });
      const payload = Buffer.from(JSON.stringify(client.claims())).toString('base64url');
      const head = (header: object): string => Buffer.from(JSON.stringify(header)).toString('base64url');
      const hmac = (secret: string | Buffer): string => {
        const told = `${head({ alg: 'HS256', kid: 'one' })}.${payload}`;
        return `${told}.${createHmac('sha256', secret).update(told).digest('base64url')}`;
      };
      const { n = '' } = await exportJWK(client.publicKey);
      const signed = await Promise.all([
        client.sign({ exp: now - 1, iat: now - 60 }),
        client.sign({ exp: now + 3_600 }),
        client.sign({ exp: undefined as never }),
        client.sign({ exp: Number.MAX_SAFE_INTEGER }),
        client.sign({ nbf: now + 3_600 }),
        client.sign({ iat: now + 3_600, exp: now + 3_650 }),
        client.sign({ aud: 'https://other.example' }),
        client.sign({ aud: [PUBLIC_URL, 'https://other.example'] }),
        client.sign({ aud: [] }),
        client.sign({ aud: `${PUBLIC_URL}.evil.example` }),
        client.sign({ jti: undefined as never }),
        client.sign({ jti: '' }),
        client.sign({ jti: 'x'.repeat(5_000) }),
        client.sign({ iss: other.id }),
        client.sign({ sub: other.id }),
        client.sign({ iss: other.id, sub: other.id }),
        client.sign({}, { key: other.privateKey }),
        client.sign({}, { header: { kid: '../one' } }),
        client.sign({}, { header: { typ: 'at+jwt' } }),
        client.sign({}, { key: own.privateKey, header: { jwk: await exportJWK(own.publicKey) } }),
        client.sign({}, { key: own.privateKey, header: { jku: 'http://127.0.0.1:1/jwks.json' } }),
      ]);
      const wrong = [
        ...signed,
        new UnsecuredJWT(client.claims()).encode(),
        hmac(client.publicKey.export({ type: 'spki', format: 'pem' })),
        hmac(Buffer.from(n, 'base64url')),
        `${await client.sign()}${'A'.repeat(50_000)}`,
      ];
      const answers = await Promise.all(wrong.map((assertion) => client.present(assertion)));
      const told = new Set(answers.map(({ status, text }) => `${status} ${text}`));
      only(answers, [401]);
      if (told.size !== 1) throw new Error(`they are told apart: ${[...told].join(' ')}`);
      const good = await client.present(await client.sign());
      only([good], [200]);
      const both = await client.present(await client.sign(), { client_secret: randomUUID() });
      only([both], [400]);
      return `${statuses(answers)}; a good one ${good.status}, one with a secret beside it ${both.status}`;
    },
  },
];
