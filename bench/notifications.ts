/**
 * How many births a second hospitals can notify, with audit and webhooks on, beside the same rows inserted through `pg`
 * alone: `npx tsx bench/notifications.ts --server URL`, of the built program.
 */
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Command } from 'commander';
import pg from 'pg';
import { DERIVED_VERSION } from '../src/platform/database/connection/derived-version.js';
import { cpuSeconds } from './deliveries/cpu-time.js';
import { FreshDatabase } from './deliveries/fresh-database.js';
import { type Client, Service } from './deliveries/service.js';
import { measured } from './measure/about.js';
import { spreadOf } from './measure/spread.js';
import { importOffice, notificationOf } from './notified-births.js';

const CLINICS = 8;
const WARM_UP = 300;
/** What one notification writes, in an order in which it may be inserted. */
const TABLES = [
  ...['event', 'event_history', 'event_search', 'event_document', 'bitmap_dirty', 'performed_operation', 'audit_log'],
] as const;

interface Options {
  readonly server: string;
  readonly dist: string;
  readonly events: number;
  readonly callers: readonly number[];
}

interface Row {
  readonly callers: number;
  readonly perSecond: number;
  readonly ms: { readonly p50: number; readonly p95: number; readonly p99: number };
  /** Processor time for each, of the service and of PostgreSQL. */
  readonly serviceCpuMs: number;
  readonly postgresCpuMs: number;
  readonly floorPerSecond: number;
  readonly ofFloor: number;
}

/** Does it so many times, so many at a time; how long each took. */
async function times(count: number, atOnce: number, work: (at: number) => Promise<void>): Promise<readonly number[]> {
  let at = 0;
  const samples: number[] = [];
  const worker = async (): Promise<void> => {
    while (at < count) {
      const beganMs = performance.now();
      await work(at++);
      samples.push(performance.now() - beganMs);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
  return samples;
}

async function measure({ server, dist, events }: Options, callers: number): Promise<Row> {
  const database = await FreshDatabase.create(server);
  const target = { dist, databaseUrl: database.url, redisUrl: undefined, authority: '', inFlight: 5, nodeOptions: [] };
  const service = await Service.start(target);
  let isStopped = false;
  try {
    await importOffice(service);
    const clinics: Client[] = [];
    for (let count = 0; count < CLINICS; count += 1) clinics.push(await service.register('HEALTH'));
    let number = 0;
    const notify = async (at: number): Promise<void> => {
      const clinic = clinics[at % CLINICS];
      if (clinic !== undefined) await service.notify(clinic, notificationOf(number++));
    };
    await times(WARM_UP, callers, notify);
    const pids = await database.serverPids();
    const [serviceBefore, postgresBefore] = [await cpuSeconds([service.pid]), await cpuSeconds(pids)];
    const beganMs = performance.now();
    const samples = await times(events, callers, notify);
    const seconds = (performance.now() - beganMs) / 1_000;
    const serviceCpu = (await cpuSeconds([service.pid])) - serviceBefore;
    const postgresCpu = (await cpuSeconds(pids)) - postgresBefore;
    await service.stop();
    isStopped = true;
    const floorPerSecond = await floor(database.url, { server, dist, events, callers });
    const { p50, p95, p99 } = spreadOf(samples);
    return {
      ...{ callers, perSecond: events / seconds, ms: { p50, p95, p99 } },
      serviceCpuMs: (1_000 * serviceCpu) / events,
      postgresCpuMs: (1_000 * postgresCpu) / events,
      floorPerSecond,
      ofFloor: events / seconds / floorPerSecond,
    };
  } finally {
    if (!isStopped) await service.stop();
    await database.drop();
  }
}

/**
 * The same rows as in the database at `from`, into the same tables with their indexes, through `pg`: those of one event
 * in one transaction, in prepared statements, by as many connections as there were callers.
 */
async function floor(
  from: string,
  { server, dist, events, callers }: Omit<Options, 'callers'> & { readonly callers: number },
): Promise<number> {
  const database = await FreshDatabase.create(server);
  const target = { dist, databaseUrl: database.url, redisUrl: undefined, authority: '', inFlight: 5, nodeOptions: [] };
  // It makes the tables.
  await (await Service.start(target)).stop();
  const source = new pg.Pool({ connectionString: from, max: 1 });
  // As every session that writes these tables says.
  const version = `-c matricula.derived_version=${DERIVED_VERSION}`;
  const sink = new pg.Pool({ connectionString: database.url, max: callers, options: version });
  try {
    const lists = await Promise.all(TABLES.map((table) => lastRows(source, table, events + WARM_UP)));
    const insertOne = async (at: number): Promise<void> => {
      const client = await sink.connect();
      try {
        await client.query('begin');
        for (const [index, table] of TABLES.entries()) {
          await client.query({
            name: table,
            text: `insert into ${table} overriding system value select * from json_populate_record(null::${table}, $1)`,
            values: [lists[index]?.[at]],
          });
        }
        await client.query('commit');
      } finally {
        client.release();
      }
    };
    await times(WARM_UP, callers, insertOne);
    const beganMs = performance.now();
    await times(events, callers, (at) => insertOne(WARM_UP + at));
    return (1_000 * events) / (performance.now() - beganMs);
  } finally {
    await Promise.all([source.end(), sink.end()]);
    await database.drop();
  }
}

/** The last rows of a table as JSON, in the order in which they were written. */
async function lastRows(source: pg.Pool, table: (typeof TABLES)[number], count: number): Promise<readonly string[]> {
  const order = ORDERS[table];
  // Its rows are soon removed.
  if (table === 'bitmap_dirty') {
    const events = await lastRows(source, 'event', count);
    return events.map((row) =>
      JSON.stringify({ seq: (JSON.parse(row) as { seq: number }).seq, terms: [], places: [] }),
    );
  }
  const where = table === 'audit_log' ? `where operation like 'event.%'` : '';
  const { rows } = await source.query<{ row: string }>(
    `select row_to_json(t)::text as row from (select * from ${table} ${where} order by ${order} desc limit $1) t`,
    [count],
  );
  if (rows.length < count) throw new Error(`${table} has ${rows.length} rows`);
  return rows.map(({ row }) => row).reverse();
}

/** Rows of one event stand at the same place in each table, where that matters. */
const ORDERS: Readonly<Record<(typeof TABLES)[number], string>> = {
  event: 'seq',
  event_history: 'event_seq',
  event_search: 'seq',
  event_document: 'seq',
  bitmap_dirty: 'seq',
  performed_operation: 'performed_at',
  audit_log: 'created_at',
};

const ROOT = join(dirname(fileURLToPath(import.meta.url)), '..');

const program = new Command('notifications')
  .requiredOption('--server <url>', 'a PostgreSQL on which databases may be made', process.env.BENCH_SERVER_URL)
  .option('--dist <directory>', 'the built program', join(ROOT, 'dist/src'))
  .option('--events <number>', 'for each', Number, 4_000)
  .option(
    '--callers <numbers>',
    'how many at a time, between commas',
    (text) => text.split(',').map(Number),
    [1, 16, 50],
  )
  .action(async (options: Options) => {
    const [about, found] = await measured(options.server, async () => {
      const rows: Row[] = [];
      for (const callers of options.callers) {
        const row = await measure(options, callers);
        process.stderr.write(`${JSON.stringify(row)}\n`);
        rows.push(row);
      }
      return rows;
    });
    console.log(JSON.stringify({ about: { ...about, command: 'npx tsx bench/notifications.ts' }, found }, null, 2));
  });

await program.parseAsync();
