/**
 * How long searches take beside a steady pace of notifications, by turns with searches alone:
 * `npx tsx bench/searches-beside.ts --server URL`, of the built program.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { Command } from 'commander';

import { FreshDatabase } from './deliveries/fresh-database.js';
import type { Client } from './deliveries/service.js';
import { Service } from './deliveries/service.js';
import { measured } from './measure/about.js';
import { spreadOf } from './measure/spread.js';
import { importOffice, notificationOf } from './notified-births.js';

const SEARCHES_PER_SECOND = 25;
const ROUNDS = 3;
const SURNAMES = ['Banda', 'Chanda', 'Daka', 'Kabwe', 'Lungu', 'Mwansa', 'Ngoma', 'Phiri', 'Sakala', 'Tembo', 'Zulu'];

interface Options {
  readonly server: string;
  readonly dist: string;
  readonly records: number;
  readonly seconds: number;
  readonly paces: readonly number[];
}

/** Whether notified or searched: when each was due, it begins, whatever became of those before. */
async function atPace(perSecond: number, seconds: number, work: (at: number) => Promise<void>): Promise<number[]> {
  const began = performance.now();
  const samples: number[] = [];
  const underWay: Promise<void>[] = [];
  for (let at = 0; at < perSecond * seconds; at += 1) {
    const dueMs = began + (at * 1_000) / perSecond;
    const waitMs = dueMs - performance.now();
    if (waitMs > 0) await sleep(waitMs);
    underWay.push(work(at).then(() => void samples.push(performance.now() - dueMs)));
  }
  await Promise.all(underWay);
  return samples;
}

const searchOf = (at: number): object => ({
  query: {
    clauses: [{ eventType: 'birth', data: { 'child.name': { type: 'fuzzy', term: SURNAMES[at % SURNAMES.length] } } }],
  },
  limit: 10,
});

async function measure({ server, dist, records, seconds, paces }: Options): Promise<unknown> {
  const database = await FreshDatabase.create(server);
  const target = { dist, databaseUrl: database.url, redisUrl: undefined, authority: '', inFlight: 5, nodeOptions: [] };
  const service = await Service.start(target);
  try {
    await importOffice(service);
    const clinic: Client = await service.register('HEALTH');
    const searcher: Client = await service.register('NATIONAL_ID');
    let number = 0;
    const notify = (): Promise<void> => service.notify(clinic, notificationOf(number++));
    for (let done = 0; done < records; done += 50) await Promise.all(Array.from({ length: 50 }, notify));
    const found = new Map<number, { searches: number[]; notifications: number[] }>();
    for (let round = 0; round < ROUNDS; round += 1) {
      for (const pace of paces) {
        const of = found.get(pace) ?? { searches: [], notifications: [] };
        found.set(pace, of);
        const search = (at: number): Promise<void> => service.search(searcher, searchOf(at));
        const [searches, notifications] = await Promise.all([
          atPace(SEARCHES_PER_SECOND, seconds, search),
          pace === 0 ? [] : atPace(pace, seconds, notify),
        ]);
        of.searches.push(...searches);
        of.notifications.push(...notifications);
      }
    }
    return [...found].map(([pace, { searches, notifications }]) => ({
      notificationsPerSecond: pace,
      searchMs: spreadOf(searches),
      ...(notifications.length > 0 && { notificationMs: spreadOf(notifications) }),
    }));
  } finally {
    await service.stop();
    await database.drop();
  }
}

const ROOT = join(dirname(fileURLToPath(import.meta.url)), '..');

const program = new Command('searches-beside')
  .requiredOption('--server <url>', 'a PostgreSQL on which databases may be made', process.env.BENCH_SERVER_URL)
  .option('--dist <directory>', 'the built program', join(ROOT, 'dist/src'))
  .option('--records <number>', 'notified before anything is measured', Number, 10_000)
  .option('--seconds <number>', 'for each pace, in each round', Number, 6)
  .option(
    '--paces <numbers>',
    'notifications a second, between commas',
    (text) => text.split(',').map(Number),
    [0, 100, 300, 500],
  )
  .action(async (options: Options) => {
    const [about, found] = await measured(options.server, () => measure(options));
    console.log(JSON.stringify({ about: { ...about, command: 'npx tsx bench/searches-beside.ts' }, found }, null, 2));
  });

await program.parseAsync();
