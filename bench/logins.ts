/**
 * Logins and refreshes a second, with the Argon2id hashes that one thread computes in the same run as their floor, and
 * what a storm of logins does to searches: `npx tsx bench/logins.ts [records] [seconds]`. Needs the built program, and
 * starts its own PostgreSQL.
 */
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { hash } from '@node-rs/argon2';
import { Pool } from 'undici';

import type { Rate } from './measure/rate.js';
import { forMs, rate, rounded } from './measure/rate.js';
import { medianOf } from './measure/spread.js';
import { OwnService } from './service/own-service.js';

const RECORDS = process.argv[2] ?? '20000';
const RUN_MS = Number(process.argv[3] ?? 8) * 1_000;
const USERS = 100;
const LOGINS_AT_ONCE = 16;
/** So many that none is refreshed more than sixty times, which is what a session may in a minute. */
const SESSIONS = 12 * LOGINS_AT_ONCE;
const SEARCHES_AT_ONCE = 4;
/** How often each of the two is measured: with a storm and without, by turns. */
const ROUNDS = 6;
const PASSWORD = 'a password for measuring';
const service = new OwnService(mkdtempSync(join(tmpdir(), 'logins-')), {
  TWO_FA_ENABLED: 'false',
  // Each login comes from another address, as those of a country do.
  TRUSTED_PROXIES: '127.0.0.1',
});

interface Session {
  readonly token: string;
  readonly refreshToken: string;
}

const tell = (what: string, figures: object): void => {
  console.log(JSON.stringify({ what, ...figures }));
};
/** What one thread computes, one hash after the other, with nothing else going on. */
const floor = (): Promise<Rate> =>
  rate(1, forMs(RUN_MS), async () => {
    await hash(PASSWORD, { memoryCost: 19_456, timeCost: 2, parallelism: 1 });
  });

class Client {
  /** Logins that were refused, as too many waited. */
  refused = 0;
  private logins = 0;
  private readonly pool: Pool;

  constructor(url: string) {
    this.pool = new Pool(url, { connections: 64 });
  }

  async post<T>(path: string, body: object, headers: Readonly<Record<string, string>> = {}): Promise<T> {
    const answer = await this.pool.request({
      path,
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    });
    const text = await answer.body.text();
    if (answer.statusCode === 503) this.refused += 1;
    else if (answer.statusCode > 299) throw new Error(`${path}: ${answer.statusCode} ${text}`);
    return JSON.parse(text) as T;
  }

  async login(): Promise<Session> {
    const at = (this.logins += 1);
    const headers = { 'x-forwarded-for': `10.${(at >> 16) % 256}.${(at >> 8) % 256}.${at % 256}` };
    const credentials = { username: `user${at % USERS}`, password: PASSWORD };
    const { nonce } = await this.post<{ nonce?: string }>('/auth/authenticate', credentials, headers);
    if (nonce === undefined) return { token: '', refreshToken: '' };
    return this.post<Session>('/auth/verifyCode', { nonce, code: '000000' }, headers);
  }

  async createUsers(internal: Client, token: string): Promise<void> {
    const answer = await this.pool.request({
      path: '/locations?locationType=CRVS_OFFICE',
      method: 'GET',
      headers: { authorization: `Bearer ${token}` },
    });
    const [office] = (await answer.body.json()) as { id: string }[];
    for (let at = 0; at < USERS; at += 1) {
      const order = {
        username: `user${at}`,
        name: { firstname: 'Some', surname: 'Body' },
        role: 'LOCAL_REGISTRAR',
        primaryOfficeId: office?.id,
        password: PASSWORD,
      };
      await internal.post('/users', order, { authorization: `Bearer ${token}` });
    }
  }

  close(): Promise<void> {
    return this.pool.close();
  }
}

const SURNAMES = ['Banda', 'Phiri', 'Mwansa', 'Tembo', 'Zulu', 'Lungu', 'Mumba', 'Sakala'];

/** A page of what a registrar looks for: a name, roughly. */
async function search(client: Client, token: string, at: number): Promise<void> {
  const data = { 'child.name': { type: 'fuzzy', term: SURNAMES[at % SURNAMES.length] } };
  const body = { query: { clauses: [{ data }] }, limit: 20 };
  await client.post('/api/events/events/search', body, { authorization: `Bearer ${token}` });
}

async function measure(urls: { publicUrl: string; internalUrl: string }): Promise<void> {
  const [client, internal] = [new Client(urls.publicUrl), new Client(urls.internalUrl)];
  const token = service.matricula('token', '--role', 'national-system-admin', '--ttl', '3600').trim();
  await client.createUsers(internal, token);
  const searches = (): Promise<Rate> => {
    let at = 0;
    return rate(SEARCHES_AT_ONCE, forMs(RUN_MS), () => search(client, token, (at += 1)));
  };

  const before = await floor();
  const logins = await rate(LOGINS_AT_ONCE, forMs(RUN_MS), async () => {
    await client.login();
  });
  const after = await floor();
  const hashes = (before.perSecond + after.perSecond) / 2;
  tell('hashes a second, one thread', { before: before.perSecond, after: after.perSecond });
  tell('logins', { ...logins, ofTheFloor: rounded(logins.perSecond / hashes) });

  const sessions: Session[] = [];
  for (let begun = 0; begun < SESSIONS; begun += LOGINS_AT_ONCE) {
    sessions.push(...(await Promise.all(Array.from({ length: LOGINS_AT_ONCE }, () => client.login()))));
  }
  const turns = Array<number>(LOGINS_AT_ONCE).fill(0);
  const refreshes = await rate(LOGINS_AT_ONCE, forMs(RUN_MS), async (line) => {
    const at = line + LOGINS_AT_ONCE * ((turns[line] = (turns[line] ?? 0) + 1) % (SESSIONS / LOGINS_AT_ONCE));
    sessions[at] = await client.post<Session>('/auth/refreshToken', { token: sessions[at]?.refreshToken });
  });
  tell('refreshes', refreshes);

  const [alone, beside]: [Rate[], Rate[]] = [[], []];
  await searches();
  for (let round = 0; round < ROUNDS; round += 1) {
    alone.push(await searches());
    let isOver = false;
    const storm = rate(
      LOGINS_AT_ONCE,
      () => !isOver,
      async () => {
        await client.login();
      },
    );
    beside.push(await searches());
    isOver = true;
    tell('a storm of logins, with its refusals', { ...(await storm), refusedSoFar: client.refused });
  }
  const perSecond = (of: readonly Rate[]): number => medianOf(of.map((one) => one.perSecond));
  const p50 = (of: readonly Rate[]): number => medianOf(of.map((one) => one.p50));
  tell('searches a second', {
    alone: alone.map((one) => one.perSecond),
    besideAStorm: beside.map((one) => one.perSecond),
    slower: `${rounded(100 * (1 - perSecond(beside) / perSecond(alone)))} %`,
    p50: [p50(alone), p50(beside)],
  });
  await Promise.all([client.close(), internal.close()]);
}

service.matricula('seed', '--records', RECORDS);
await service.during(measure);
