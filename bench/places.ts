/**
 * How long lists of places take in a country of many, and how long they keep others waiting:
 * `npx tsx bench/places.ts [places]`. Needs the built program, and starts its own PostgreSQL.
 */
import { execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';

const PLACES = Number(process.argv[2] ?? 50_000);
const DATA_DIR = mkdtempSync(join(tmpdir(), 'places-'));
const environment = {
  PATH: process.env.PATH,
  DATA_DIR,
  DEMO_RECORDS: '0',
  PORT: '0',
  INTERNAL_PORT: '0',
  LOG_LEVEL: 'info',
  ALLOW_LONG_TOKENS: 'true',
};
const idOf = (number: number): string => {
  const hex = number.toString(16);
  return `${hex.padStart(8, '0')}-0000-4000-8000-${hex.padStart(12, '0')}`;
};
const matricula = (...command: string[]): string =>
  execFileSync(process.execPath, [resolve('dist/src/cli/main.js'), ...command], { env: environment, encoding: 'utf8' });

/** Ten provinces, 500 districts, and everything else in those. */
function country(): object {
  const [provinces, districts] = [10, 500];
  const area = (at: number) => ({
    id: idOf(at),
    name: `Area ${at}`,
    partOf: at < provinces ? null : idOf(at % provinces),
  });
  const location = (at: number) => ({
    id: idOf(at),
    name: `Health facility ${at}`,
    partOf: idOf(provinces + (at % (districts - provinces))),
    locationType: at % 50 === 0 ? 'CRVS_OFFICE' : 'HEALTH_FACILITY',
    externalId: `F${at}`,
  });
  return {
    administrativeAreas: Array.from({ length: districts }, (_, at) => area(at)),
    locations: Array.from({ length: PLACES - districts }, (_, at) => location(at + districts)),
  };
}

interface Urls {
  readonly publicUrl: string;
  readonly internalUrl: string;
}

const since = (beganMs: number): number => Math.round((performance.now() - beganMs) * 10) / 10;
const tell = (what: string, figures: object): void => {
  console.log(JSON.stringify({ what, ...figures }));
};

async function timed(what: string, work: () => Promise<Response>): Promise<Response> {
  const began = performance.now();
  const answer = await work();
  const bytes = (await answer.clone().arrayBuffer()).byteLength;
  tell(what, { ms: since(began), status: answer.status, bytes });
  return answer;
}

/** The longest time, in ms, for which the event loop of the service was held since this was last asked. */
async function longestHold(internalUrl: string): Promise<number> {
  const text = await (await fetch(`${internalUrl}/metrics`)).text();
  return Math.round(1_000 * Number(/^nodejs_eventloop_lag_max_seconds (\S+)/m.exec(text)?.[1]));
}

async function measure({ publicUrl: url, internalUrl }: Urls, token: string): Promise<void> {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const get = (path: string, more = {}): Promise<Response> =>
    fetch(`${url}${path}`, { headers: { ...headers, ...more } });
  await longestHold(internalUrl);
  const whole = await timed('the whole list, first', () => get('/locations'));
  await timed('the whole list, again', () => get('/locations'));
  await timed('the whole list, unchanged', () =>
    get('/locations', { 'if-none-match': whole.headers.get('etag') ?? '' }),
  );
  await timed('a page of 100', () => get('/locations?limit=100'));
  await timed('one external id', () => get('/locations?externalId=F777'));
  await timed('registration offices', () => get('/locations?locationType=CRVS_OFFICE'));
  await timed('registration offices, FHIR', () => get('/location?type=CRVS_OFFICE'));

  tell('event loop held so far, ms', { longest: await longestHold(internalUrl) });
  const waits: number[] = [];
  let isDone = false;
  const others = (async () => {
    while (!isDone) {
      const began = performance.now();
      await (await fetch(`${url}/ping`)).text();
      waits.push(since(began));
    }
  })();
  const began = performance.now();
  const lists = Array.from({ length: 16 }, async () => (await get('/locations')).body?.pipeTo(new WritableStream()));
  await Promise.all(lists);
  isDone = true;
  await others;
  const sorted = waits.toSorted((a, b) => a - b);
  const of = (share: number): number | undefined =>
    sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))];
  tell('16 whole lists at once', { ms: since(began), eventLoopHeldMs: await longestHold(internalUrl) });
  tell('others meanwhile, ms', { requests: waits.length, median: of(0.5), p99: of(0.99), longest: of(1) });

  const creations: number[] = [];
  for (let at = 0; at < 50; at++) {
    const beganOne = performance.now();
    const body = JSON.stringify({ name: `New ${at}`, administrativeAreaId: idOf(20), locationType: 'HEALTH_FACILITY' });
    const made = await fetch(`${url}/locations`, { method: 'POST', headers, body });
    if (made.status !== 200) throw new Error(await made.text());
    creations.push(since(beganOne));
  }
  tell('a creation, ms', {
    median: creations.toSorted((a, b) => a - b)[25],
    longest: Math.max(...creations),
    eventLoopHeldMs: await longestHold(internalUrl),
  });
}

const file = join(DATA_DIR, 'locations.json');
writeFileSync(file, JSON.stringify(country()));
const began = performance.now();
matricula('import', 'locations', file);
tell('import', { places: PLACES, ms: since(began) });
const child = spawn(process.execPath, [resolve('dist/src/main.js')], {
  env: environment,
  stdio: ['ignore', 'pipe', 'inherit'],
});
const urls = await new Promise<Urls>((found) => {
  createInterface(child.stdout).on('line', (line) => {
    if (!line.includes('"listening"')) return;
    found(JSON.parse(line) as Urls);
  });
});
try {
  await measure(urls, matricula('token', '--role', 'national-system-admin', '--ttl', '3600').trim());
} finally {
  child.kill('SIGTERM');
  child.once('exit', () => {
    rmSync(DATA_DIR, { recursive: true, force: true });
  });
}
