/**
 * Logins and refreshes a second, with the Argon2id hashes that one thread computes in the same run as their floor, and
 * what a storm of logins does to searches: `npx tsx bench/logins.ts [records] [seconds]`. Needs the built program, and
 * starts its own PostgreSQL.
 */
import { execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';

import { hash } from '@node-rs/argon2';
import { Pool } from 'undici';

const RECORDS = process.argv[2] ?? '20000';
const RUN_MS = Number(process.argv[3] ?? 8) * 1_000;
const USERS = 100;
const LOGINS_AT_ONCE = 16;
const SEARCHES_AT_ONCE = 4;
/** How often each of the two is measured: with a storm and without, by turns. */
const ROUNDS = 6;
const PASSWORD = 'a password for measuring';
const DATA_DIR = mkdtempSync(join(tmpdir(), 'logins-'));
const environment = {
  PATH: process.env.PATH,
  DATA_DIR,
  DEMO_RECORDS: '0',
  PORT: '0',
  INTERNAL_PORT: '0',
  LOG_LEVEL: 'info',
  ALLOW_LONG_TOKENS: 'true',
  TWO_FA_ENABLED: 'false',
  // Each login comes from another address, as those of a country do.
  TRUSTED_PROXIES: '127.0.0.1',
};
const matricula = (...command: string[]): string =>
  execFileSync(process.execPath, [resolve('dist/cli/main.js'), ...command], {
    env: environment,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  });

interface Session {
  readonly token: string;
  readonly refreshToken: string;
}

interface Rate {
  readonly perSecond: number;
  readonly p50: number;
  readonly p99: number;
}

const tell = (what: string, figures: object): void => {
  console.log(JSON.stringify({ what, ...figures }));
};
const rounded = (value: number): number => Math.round(value * 10) / 10;
const median = (values: readonly number[]): number => values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0;

/** Asks again and again, so many at once, while `goesOn`. */
async function rate(atOnce: number, goesOn: () => boolean, ask: (line: number) => Promise<void>): Promise<Rate> {
  const beganMs = performance.now();
  const timesMs: number[] = [];
  const line = async (at: number): Promise<void> => {
    while (goesOn()) {
      const askedMs = performance.now();
      await ask(at);
      timesMs.push(performance.now() - askedMs);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, (_, at) => line(at)));
  const seconds = (performance.now() - beganMs) / 1_000;
  const sorted = timesMs.toSorted((a, b) => a - b);
  return {
    perSecond: rounded(sorted.length / seconds),
    p50: rounded(sorted[sorted.length >> 1] ?? 0),
    p99: rounded(sorted[Math.floor(sorted.length * 0.99)] ?? 0),
  };
}

const forTheRun = (): (() => boolean) => {
  const endMs = performance.now() + RUN_MS;
  return () => performance.now() < endMs;
};

/** What one thread computes, one hash after the other, with nothing else going on. */
const floor = (): Promise<Rate> =>
  rate(1, forTheRun(), async () => {
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
  const token = matricula('token', '--role', 'national-system-admin', '--ttl', '3600').trim();
  await client.createUsers(internal, token);
  const searches = (): Promise<Rate> => {
    let at = 0;
    return rate(SEARCHES_AT_ONCE, forTheRun(), () => search(client, token, (at += 1)));
  };

  const before = await floor();
  const logins = await rate(LOGINS_AT_ONCE, forTheRun(), async () => {
    await client.login();
  });
  const after = await floor();
  const hashes = (before.perSecond + after.perSecond) / 2;
  tell('hashes a second, one thread', { before: before.perSecond, after: after.perSecond });
  tell('logins', { ...logins, ofTheFloor: rounded(logins.perSecond / hashes) });

  const sessions = await Promise.all(Array.from({ length: LOGINS_AT_ONCE }, () => client.login()));
  const refreshes = await rate(LOGINS_AT_ONCE, forTheRun(), async (at) => {
    const refreshToken = sessions[at]?.refreshToken;
    sessions[at] = await client.post<Session>('/auth/refreshToken', { token: refreshToken });
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
  const perSecond = (of: readonly Rate[]): number => median(of.map((one) => one.perSecond));
  const p50 = (of: readonly Rate[]): number => median(of.map((one) => one.p50));
  tell('searches a second', {
    alone: alone.map((one) => one.perSecond),
    besideAStorm: beside.map((one) => one.perSecond),
    slower: `${rounded(100 * (1 - perSecond(beside) / perSecond(alone)))} %`,
    p50: [p50(alone), p50(beside)],
  });
  await Promise.all([client.close(), internal.close()]);
}

matricula('seed', '--records', RECORDS);
const child = spawn(process.execPath, [resolve('dist/main.js')], {
  env: environment,
  stdio: ['ignore', 'pipe', 'inherit'],
});
const urls = await new Promise<{ publicUrl: string; internalUrl: string }>((found) => {
  createInterface(child.stdout).on('line', (line) => {
    if (line.includes('"listening"')) found(JSON.parse(line) as { publicUrl: string; internalUrl: string });
  });
});
try {
  await measure(urls);
} finally {
  child.kill('SIGTERM');
  child.once('exit', () => {
    rmSync(DATA_DIR, { recursive: true, force: true });
  });
}
