/**
 * The cost of a trigger beside a number of subscriptions, whose filters it does not meet but for one kind of them:
 * `npx tsx bench/triggers.ts --server URL`, of the built program. Its results are in bench/HISTORY.md.
 */
import { createHash } from 'node:crypto';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

import { Command } from 'commander';
import pg from 'pg';

import { birth } from './deliveries/birth.js';
import { cpuSeconds } from './deliveries/cpu-time.js';
import { FreshDatabase } from './deliveries/fresh-database.js';
import { Service } from './deliveries/service.js';
import { measured } from './measure/about.js';
import { spreadOf } from './measure/spread.js';

const WARM_UP = 50;

/** Its subscriptions are disabled: their deliveries are written, and not made. */
const MET = 'one clause that every event meets';

/** A filter of its own for each subscription. The costly ones cost 499 and 498 of the 500 that one may. */
const FILTERS: Readonly<Record<string, (number: number) => object>> = {
  'one exact clause': (number) => ({ clauses: [{ data: { 'child.gender': exact(`x${number}`) } }] }),
  'one fuzzy clause': (number) => ({ clauses: [{ data: { 'child.name': fuzzy(wordOf(number)) } }] }),
  '249 exact clauses': (number) => ({
    type: 'or',
    clauses: Array.from({ length: 249 }, (_, at) => ({ data: { 'child.gender': exact(`x${number} ${at}`) } })),
  }),
  '38 fuzzy clauses': (number) => ({
    type: 'or',
    clauses: Array.from({ length: 38 }, (_, at) => ({ data: { 'child.name': fuzzy(wordOf(100 * number + at)) } })),
  }),
  [MET]: () => ({ clauses: [{ eventType: 'birth' }] }),
};

const exact = (term: string): object => ({ type: 'exact', term });
const fuzzy = (term: string): object => ({ type: 'fuzzy', term });
/** Eight letters that are near no word of the births. */
const wordOf = (number: number): string =>
  createHash('sha256')
    .update(String(number))
    .digest('hex')
    .slice(0, 8)
    .replace(/\d/g, (digit) => 'ghijklmnop'[Number(digit)] ?? '');

interface Options {
  readonly server: string;
  readonly dist: string;
  readonly seconds: number;
  readonly quietSeconds: number;
  readonly subscriptions: readonly number[];
  readonly filter: string;
}

interface Row {
  readonly filter: string;
  readonly subscriptions: number;
  readonly firstMs: number;
  readonly perSecond: number;
  readonly ms: { readonly p50: number; readonly p95: number; readonly p99: number };
  /** Processor time of the service for each, look-ups that watch it included. */
  readonly cpuMs: number;
  /**
   * The longest that a look-up without a database waited from the start to the first trigger, and during the others.
   */
  readonly longestAtStartMs: number;
  readonly longestWaitMs: number;
}

async function measure(
  { server, dist, seconds, quietSeconds }: Options,
  filter: string,
  subscriptions: number,
): Promise<Row> {
  const database = await FreshDatabase.create(server);
  const target = { dist, databaseUrl: database.url, redisUrl: undefined, authority: '', inFlight: 5, nodeOptions: [] };
  let service = await Service.start(target);
  try {
    const { clientId } = await service.register();
    await addSubscriptions(database.url, clientId, filter, subscriptions);
    // As it starts beside them, and is left alone for a while.
    await service.stop();
    service = await Service.start(target);
    const longestAtStartMs = await longestWait(service, quietSeconds);
    let number = 0;
    const run = Math.random().toString(36).slice(2, 5).toUpperCase();
    const trigger = async (): Promise<number> => {
      const beganMs = performance.now();
      await service.trigger(birth(run, number++));
      return performance.now() - beganMs;
    };
    const firstMs = await trigger();
    for (let count = 0; count < WARM_UP; count++) await trigger();
    const watching = watch(service);
    const samples: number[] = [];
    const cpuBefore = await cpuSeconds([service.pid]);
    const endMs = performance.now() + seconds * 1_000;
    while (performance.now() < endMs) samples.push(await trigger());
    const cpuMs = (1_000 * ((await cpuSeconds([service.pid])) - cpuBefore)) / samples.length;
    const longestWaitMs = await watching.end();
    const { p50, p95, p99 } = spreadOf(samples);
    return {
      filter,
      subscriptions,
      longestAtStartMs,
      firstMs,
      perSecond: samples.length / seconds,
      ms: { p50, p95, p99 },
      cpuMs,
      longestWaitMs,
    };
  } finally {
    await service.stop();
    await database.drop();
  }
}

/** Asks every 20 ms for what needs the event loop alone; `end` says how long the longest of these waited. */
function watch(service: Service): { readonly end: () => Promise<number> } {
  const over = new AbortController();
  let longestMs = 0;
  const watching = (async () => {
    while (!over.signal.aborted) {
      const beganMs = performance.now();
      await service.isAlive();
      longestMs = Math.max(longestMs, performance.now() - beganMs);
      await sleep(20);
    }
  })();
  return {
    end: async () => {
      over.abort();
      await watching;
      return longestMs;
    },
  };
}

async function longestWait(service: Service, seconds: number): Promise<number> {
  const watching = watch(service);
  await sleep(1_000 * seconds);
  return watching.end();
}

async function addSubscriptions(url: string, clientId: string, filter: string, count: number): Promise<void> {
  const queryOf = FILTERS[filter];
  if (queryOf === undefined) throw new Error(`there is no filter ${filter}`);
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    for (let from = 0; from < count; from += 500) {
      const queries = Array.from({ length: Math.min(500, count - from) }, (_, at) =>
        JSON.stringify(queryOf(from + at)),
      );
      await client.query(
        `insert into webhook_subscription (id, client_id, topic, callback, format, query, status)
         select gen_random_uuid(), $1, 'BIRTH_REGISTERED', 'https://127.0.0.1/' || gen_random_uuid(), 'standard', q::jsonb, $3
           from unnest($2::text[]) q`,
        [clientId, queries, filter === MET ? 'disabled' : 'active'],
      );
    }
    await client.query('vacuum analyze webhook_subscription');
  } finally {
    await client.end();
  }
}

const ROOT = join(dirname(fileURLToPath(import.meta.url)), '..');

const program = new Command('triggers')
  .requiredOption('--server <url>', 'a PostgreSQL on which databases may be made', process.env.BENCH_SERVER_URL)
  .option('--dist <directory>', 'the built program', join(ROOT, 'dist/src'))
  .option('--seconds <number>', 'for each', Number, 10)
  .option('--quiet-seconds <number>', 'between the start of a process and its first trigger', Number, 5)
  .option(
    '--subscriptions <numbers>',
    'how many, between commas',
    (text) => text.split(',').map(Number),
    [0, 100, 1_000],
  )
  .option('--filter <text>', 'those alone whose name contains it', '')
  .action(async (options: Options) => {
    const [about, found] = await measured(options.server, async () => {
      const rows: Row[] = [];
      for (const filter of Object.keys(FILTERS).filter((name) => name.includes(options.filter))) {
        for (const count of options.subscriptions) {
          const row = await measure(options, filter, count);
          process.stderr.write(`${JSON.stringify(row)}\n`);
          rows.push(row);
        }
      }
      return rows;
    });
    console.log(JSON.stringify({ about: { ...about, command: 'npx tsx bench/triggers.ts' }, found }, null, 2));
  });

await program.parseAsync();
