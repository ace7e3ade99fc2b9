/**
 * Imports of the same records by turns, each into a database of its own: by an old build and by a new one, each followed
 * by a reindex; and as the floor the same rows written by PostgreSQL alone, without an index.
 * `npx tsx bench/imports.ts --server URL --old DIST --new DIST`: URL is any database of the server, whose account may
 * create others. Other work on the machine slows all alike: only ratios count.
 */
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';

import { Command } from 'commander';

import { drawNation } from './data/nation.js';
import { nationLines } from './data/nation-lines.js';
import { cpuSeconds } from './deliveries/cpu-time.js';
import { serverCpuSeconds } from './measure/server-cpu.js';
import { medianOf } from './measure/spread.js';
import { withClient } from './service/bench-database.js';
import { memoryOf } from './service/memory-of.js';
import type { Target } from './service/program.js';
import { outputOf, startCommand } from './service/program.js';

interface Options {
  readonly server: string;
  readonly old: string;
  readonly new: string;
  readonly records: number;
  readonly rounds: number;
}

/** Of an import, and of the reindex after it. */
interface Both {
  readonly imported: Taken;
  readonly reindexed: Taken;
}

interface Taken {
  readonly perSecond: number;
  /** Processor time of the command for a record. */
  readonly serviceMs: number;
  /** The same of PostgreSQL, whose server does nothing else. */
  readonly serverMs: number;
  /** Megabytes of RAM of the command at its most. */
  readonly memory: number;
}

interface Files {
  readonly places: string;
  readonly records: string;
}

const SAMPLE_MS = 200;
const NAME = 'matricula_bench_imports';

/** What PostgreSQL does at least: values as they come, so that they are parsed and compressed. */
const FLOOR = [
  'create table floor_event as select * from event',
  'create table floor_search as select * from event_search',
  `create table floor_document as select seq, body || '' as body from event_document`,
  'create table floor_word as select * from fuzzy_word',
  'create table floor_key as select * from fuzzy_key',
];

const program = new Command('imports')
  .requiredOption('--server <url>', 'any database of the server', process.env.BENCH_DATABASE_URL)
  .requiredOption('--old <directory>', 'the built program to compare with')
  .option('--new <directory>', 'the built program', 'dist/src')
  .option('--records <number>', 'how many', Number, 30_000)
  .option('--rounds <number>', 'of each', Number, 3)
  .action(async (options: Options) => {
    const directory = await mkdtemp(join(tmpdir(), 'matricula-imports-'));
    try {
      await compare(options, await written(directory, options.records));
    } finally {
      await rm(directory, { recursive: true, force: true });
    }
  });

async function written(directory: string, count: number): Promise<Files> {
  const files = { places: join(directory, 'places.json'), records: join(directory, 'records.ndjson') };
  const nation = drawNation(1);
  await writeFile(files.places, JSON.stringify(nation.file));
  await pipeline(Readable.from(nationLines(nation, count, Date.now())), createWriteStream(files.records));
  return files;
}

async function compare(options: Options, files: Files): Promise<void> {
  const kinds: Readonly<Record<string, () => Promise<Both>>> = {
    old: () => imported(options, options.old, files),
    new: () => imported(options, options.new, files),
  };
  const taken = new Map<string, Taken[]>();
  for (let round = 0; round < options.rounds; round++) {
    for (const [name, kind] of Object.entries(kinds)) {
      const { imported: first, reindexed } = await kind();
      for (const [what, found] of [
        [name, first],
        [`${name} reindex`, reindexed],
      ] as const) {
        taken.set(what, [...(taken.get(what) ?? []), found]);
        tell(what, found);
      }
    }
    const perSecond = await floor(options);
    taken.set('floor', [...(taken.get('floor') ?? []), { perSecond, serviceMs: NaN, serverMs: NaN, memory: NaN }]);
  }
  for (const [name, found] of taken) {
    const median = (key: keyof Taken): number => medianOf(found.map((one) => one[key]));
    tell(`median ${name}`, {
      perSecond: median('perSecond'),
      serviceMs: median('serviceMs'),
      serverMs: median('serverMs'),
      memory: median('memory'),
    });
  }
}

const tell = (name: string, { perSecond, serviceMs, serverMs, memory }: Taken): void => {
  const processor = `${serviceMs.toFixed(3)} and ${serverMs.toFixed(3)} ms`;
  console.log(`${name}: ${perSecond.toFixed(0)}/s, ${processor}, ${memory.toFixed(0)} MB`);
};

async function imported({ server, records }: Options, dist: string, files: Files): Promise<Both> {
  const url = new URL(server);
  url.pathname = `/${NAME}`;
  await withClient(server, async (client) => {
    await client.query(`drop database if exists ${NAME} with (force)`);
    await client.query(`create database ${NAME}`);
  });
  const target = { dist, databaseUrl: url.href };
  await outputOf(target, 'migrate');
  await outputOf(target, 'import', 'locations', files.places);
  const first = await takenBy(target, records, 'import', 'records', files.records);
  if (first.done.imported !== records) throw new Error(`the import ended with ${JSON.stringify(first.done)}`);
  const second = await takenBy(target, records, 'reindex');
  if (second.done.events !== records) throw new Error(`the reindex ended with ${JSON.stringify(second.done)}`);
  return { imported: first.taken, reindexed: second.taken };
}

interface Ended {
  readonly taken: Taken;
  readonly done: { readonly imported?: number; readonly events?: number };
}

async function takenBy(target: Target, records: number, ...command: string[]): Promise<Ended> {
  await withClient(target.databaseUrl, (client) => client.query('checkpoint'));
  const serverBefore = await serverCpuSeconds(target.databaseUrl);
  const beganMs = performance.now();
  const child = startCommand(target, ...command, '--json');
  const ended = once(child, 'close');
  const { pid } = child;
  if (pid === undefined) throw new Error('the command did not start');
  let [seconds, memory] = [0, 0];
  const sampling = setInterval(() => {
    memory = Math.max(memory, memoryOf(pid)?.peak ?? 0);
    void cpuSeconds([pid]).then((found) => {
      if (found > seconds) seconds = found;
    });
  }, SAMPLE_MS);
  const [output, complaints] = await Promise.all([text(child.stdout), text(child.stderr)]);
  await ended;
  clearInterval(sampling);
  const perSecond = (1_000 * records) / (performance.now() - beganMs);
  const serverMs = (1_000 * ((await serverCpuSeconds(target.databaseUrl)) - serverBefore)) / records;
  if (output === '') throw new Error(`the command said: ${complaints}`);
  return {
    taken: { perSecond, serviceMs: (1_000 * seconds) / records, serverMs, memory },
    done: JSON.parse(output) as Ended['done'],
  };
}

/** Of the database that was filled last. */
const floor = ({ server, records }: Options): Promise<number> => {
  const url = new URL(server);
  url.pathname = `/${NAME}`;
  return withClient(url.href, async (client) => {
    const beganMs = performance.now();
    for (const statement of FLOOR) await client.query(statement);
    return (1_000 * records) / (performance.now() - beganMs);
  });
};

await program.parseAsync();
