/**
 * Access tokens a second for clients, by `client_secret` and by `private_key_jwt` assertions (RFC 7523) by turns, with
 * the RS256 signatures that one thread makes in the same run: `npx tsx bench/client-tokens.ts [seconds]`. Needs the
 * built program, and starts its own PostgreSQL.
 */
import type { KeyObject } from 'node:crypto';
import { generateKeyPairSync, randomBytes, randomUUID, sign } from 'node:crypto';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { exportJWK, SignJWT } from 'jose';
import { Pool } from 'undici';

import type { Rate } from './measure/rate.js';
import { forMs, rate, rounded } from './measure/rate.js';
import { medianOf } from './measure/spread.js';
import type { Urls } from './service/own-service.js';
import { OwnService } from './service/own-service.js';

const RUN_MS = Number(process.argv[2] ?? 4) * 1_000;
const AT_ONCE = 10;
const ROUNDS = 3;
/** Signed before a run, so that it measures no signing of ours; more than it takes. */
const ASSERTIONS_A_SECOND = 3_000;
const PUBLIC_URL = 'https://register.example';
const JWT_BEARER = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer';

/** One thread, one signature after the other, as long as a token's: header, claims, RS256 with 2048 bits. */
function signatures(): number {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const input = randomBytes(700);
  const goesOn = forMs(RUN_MS / 2);
  const began = performance.now();
  let count = 0;
  for (; goesOn(); count += 1) sign('RSA-SHA256', input, privateKey);
  return rounded((count * 1_000) / (performance.now() - began));
}

interface Client {
  readonly client_id: string;
  readonly client_secret: string;
}

class TokenEndpoint {
  private readonly pool: Pool;

  constructor(url: string) {
    this.pool = new Pool(url, { connections: AT_ONCE });
  }

  async post<T>(path: string, body: object, headers: Readonly<Record<string, string>> = {}): Promise<T> {
    const answer = await this.pool.request({
      path,
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    });
    const text = await answer.body.text();
    if (answer.statusCode > 299) throw new Error(`${path}: ${answer.statusCode} ${text}`);
    return JSON.parse(text) as T;
  }

  async token(credentials: object): Promise<void> {
    await this.post('/auth/token', { grant_type: 'client_credentials', ...credentials });
  }

  close(): Promise<void> {
    return this.pool.close();
  }
}

/** ES256, as the cheapest to verify: good once, for four minutes. */
const assertionOf = (clientId: string, privateKey: KeyObject): Promise<string> =>
  new SignJWT({ jti: randomUUID() })
    .setProtectedHeader({ alg: 'ES256', kid: 'bench' })
    .setIssuer(clientId)
    .setSubject(clientId)
    .setAudience(PUBLIC_URL)
    .setIssuedAt()
    .setExpirationTime('4m')
    .sign(privateKey);

async function measure(service: OwnService, urls: Urls): Promise<void> {
  const [endpoint, internal] = [new TokenEndpoint(urls.publicUrl), new TokenEndpoint(urls.internalUrl)];
  const token = service.matricula('token', '--role', 'national-system-admin').trim();
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const jwks = { keys: [{ ...(await exportJWK(publicKey)), kid: 'bench' }] };
  const register = (more: object): Promise<Client> =>
    internal.post<Client>('/registerSystemClient', { scope: 'HEALTH', ...more }, { authorization: `Bearer ${token}` });
  const [bySecret, byKey] = [await register({}), await register({ jwks })];

  const secret = (): Promise<Rate> =>
    rate(AT_ONCE, forMs(RUN_MS), () => {
      const { client_id, client_secret } = bySecret;
      return endpoint.token({ client_id, client_secret });
    });
  const assertion = async (): Promise<Rate> => {
    const ready = await Promise.all(
      Array.from({ length: (ASSERTIONS_A_SECOND * RUN_MS) / 1_000 }, () => assertionOf(byKey.client_id, privateKey)),
    );
    const goesOn = forMs(RUN_MS);
    return rate(
      AT_ONCE,
      () => goesOn() && ready.length > AT_ONCE,
      () => endpoint.token({ client_assertion_type: JWT_BEARER, client_assertion: ready.pop() ?? '' }),
    );
  };

  const before = signatures();
  await secret();
  await assertion();
  const [secrets, assertions]: [Rate[], Rate[]] = [[], []];
  for (let round = 0; round < ROUNDS; round += 1) {
    secrets.push(await secret());
    assertions.push(await assertion());
  }
  const perSecond = (of: readonly Rate[]): number => medianOf(of.map((one) => one.perSecond));
  console.log(
    JSON.stringify(
      {
        signaturesPerSecond: [before, signatures()],
        bySecret: secrets,
        byAssertion: assertions,
        ofThoseBySecret: `${rounded((100 * perSecond(assertions)) / perSecond(secrets))} %`,
      },
      null,
      2,
    ),
  );
  await Promise.all([endpoint.close(), internal.close()]);
}

const service = new OwnService(mkdtempSync(join(tmpdir(), 'client-tokens-')), { PUBLIC_URL });
service.matricula('seed', '--records', '1');
await service.during((urls) => measure(service, urls));
