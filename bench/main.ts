import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Command, InvalidArgumentError, Option } from 'commander';
import { DAY_MS } from '../src/kernel/domain/calendar.js';
import { drawNation } from './data/nation.js';
import { Database } from '../src/platform/database/pools/database.js';
import { createDataSource } from '../src/platform/database/schema/data-source.js';
import { migrate } from '../src/platform/database/schema/prepare-database.js';
import { fuzzyQuality } from './fuzzy/quality.js';
import { load } from './load/load.js';
import { replicate } from './load/replicate.js';
import { measured } from './measure/about.js';
import { writeResult } from './measure/results.js';
import { type Measurement, MEASUREMENTS } from './search/measurements.js';
import { readLoaded, relationSizes } from './service/bench-database.js';
import type { Target } from './service/program.js';
import { Service } from './service/service.js';
import type { ComparisonSettings } from './opensearch/command.js';
import { soak } from './soak/soak.js';

const ROOT = join(dirname(fileURLToPath(import.meta.url)), '..');

const tell = (line: string): void => {
  process.stderr.write(`${new Date().toISOString().slice(11, 19)} ${line}\n`);
};

/** What every command needs that works on a database. */
interface TargetOptions {
  readonly database: string;
  readonly dist: string;
}

interface LoadOptions extends TargetOptions {
  readonly seed: number;
  readonly until?: string;
}

/** Measured when they are asked for: they take long, or need a superuser. */
const ALONE = new Set(['memory', 'wal']);

const onDatabase = (command: Command): Command =>
  command
    .addOption(
      new Option('--database <url>', 'a database for benchmarks alone').env('BENCH_DATABASE_URL').makeOptionMandatory(),
    )
    .option('--dist <directory>', 'the built program', join(ROOT, 'dist/src'));

const targetOf = ({ database, dist }: TargetOptions): Target => ({ databaseUrl: database, dist });

const program = new Command('matricula bench').description('measures the service on the records of a synthetic nation');

onDatabase(program.command('load'))
  .description('fill an empty database through the import, and measure that')
  .argument('<records>', 'how many', wholeNumber)
  .option('--seed <number>', 'which nation', wholeNumber, 1)
  .option('--until <date>', 'the last day of its ten years; today when absent')
  .action(async (records: number, options: LoadOptions) => {
    const lastDayMs = Date.parse(options.until ?? new Date().toISOString().slice(0, 10));
    const nation = drawNation(options.seed);
    const target = targetOf(options);
    const [about, found] = await measured(target.databaseUrl, () =>
      load(target, { nation, records, untilMs: lastDayMs + DAY_MS }, tell),
    );
    tell(`${found.recordsPerSecond.toFixed(0)} records/s, at most ${found.peakMemory.toFixed(0)} MB`);
    tell(await writeResult({ name: 'import', records, about, found }));
    await measureSizes(target.databaseUrl, records);
  });

onDatabase(program.command('replicate'))
  .description(
    'make several of each record, in the database: how they differ and what they share, bench/load/replicate.ts says',
  )
  .argument('<times>', 'how many of each there are to be', wholeNumber)
  .action(async (times: number, options: TargetOptions) => {
    const { records } = await replicate(options.database, times, tell);
    await measureSizes(options.database, records);
  });

async function measureSizes(url: string, records: number): Promise<void> {
  const [about, found] = await measured(url, () => relationSizes(url));
  tell(await writeResult({ name: 'sizes', records, about, found }));
}

onDatabase(program.command('run'))
  .description(`measure searches and writes on a database that was filled: ${Object.keys(MEASUREMENTS).join(', ')}`)
  .option('--only <names...>', `which of them; without it all but ${[...ALONE].join(' and ')}`)
  .option('--runs <number>', 'of each kind of search', wholeNumber, 40)
  .option('--seconds <number>', 'of each load, and at most of each kind of search', wholeNumber, 15)
  .option('--minutes <number>', 'of the load under which memory is measured', wholeNumber, 10)
  .option('--draw <number>', 'which searches are drawn', wholeNumber, 1)
  .action(async (options: RunOptions) => {
    const target = targetOf(options);
    const loaded = await readLoaded(target.databaseUrl);
    const names = options.only ?? Object.keys(MEASUREMENTS).filter((name) => !ALONE.has(name));
    for (const name of names) {
      const measure = MEASUREMENTS[name];
      if (measure === undefined) throw new Error(`there is no measurement ${name}`);
      tell(`${name}, ${loaded.records} records`);
      await run(name, measure, target, loaded.records, { ...options, loaded, tell });
    }
  });

interface SoakOptions extends TargetOptions {
  readonly minutes: number;
  readonly draw: number;
  readonly together: number;
}

interface RunOptions extends TargetOptions {
  readonly only?: readonly string[];
  readonly runs: number;
  readonly seconds: number;
  readonly minutes: number;
  readonly draw: number;
}

/** Each on a service that has just started, so that none finds what another has left behind. */
async function run(
  name: string,
  measure: Measurement,
  target: Target,
  records: number,
  options: Parameters<Measurement>[2],
): Promise<void> {
  const service = await Service.start(target);
  try {
    const [about, found] = await measured(target.databaseUrl, () => measure(service, target.databaseUrl, options));
    tell(await writeResult({ name, records, about, found }));
  } finally {
    await service.stop();
  }
}

program
  .command('fuzzy')
  .description('fuzzy words beside a brute force, in an empty database: recall, precision and time')
  .requiredOption('--empty <url>', 'an empty database')
  .option('--words <number>', 'how many the dictionary has', wholeNumber, 120_000)
  .action(async ({ empty, words }: { readonly empty: string; readonly words: number }) => {
    const dataSource = await createDataSource(empty, 2).initialize();
    await migrate(dataSource);
    const [about, found] = await measured(empty, () => fuzzyQuality(new Database(dataSource), words));
    await dataSource.destroy();
    tell(
      `recall ${found.recall.toFixed(3)}, precision ${found.precision.toFixed(3)}, p50 ${found.ms.p50.toFixed(3)} ms`,
    );
    tell(await writeResult({ name: 'fuzzy', about, found }));
    if (found.recall < 1 || found.precision < 1) process.exitCode = 1;
  });

onDatabase(program.command('soak'))
  .description('compare totals and pages with plain counting while records are written; fails at the first difference')
  .option('--minutes <number>', 'how long', wholeNumber, 10)
  .option('--draw <number>', 'which searches and writes are drawn', wholeNumber, 1)
  .option('--together <number>', 'searches that one pass over all records counts', wholeNumber, 1)
  .action(async ({ minutes, draw, together, ...options }: SoakOptions) => {
    const target = targetOf(options);
    const loaded = await readLoaded(target.databaseUrl);
    const [about, found] = await measured(target.databaseUrl, () =>
      soak(target, { loaded, minutes, seed: draw, together, tell }),
    );
    tell(
      `${found.checks} searches compared, ${found.written} records written, ${found.differences.length} differences`,
    );
    for (const difference of found.differences) tell(difference);
    tell(await writeResult({ name: 'soak', records: loaded.records, about, found }));
    if (found.differences.length > 0) process.exitCode = 1;
  });

onDatabase(program.command('opensearch'))
  .description('everything beside an OpenSearch with the same records, in one run by turns; needs Java and Maven')
  .argument('[records]', 'how many an empty database is filled with', wholeNumber, 50_000)
  .option('--seed <number>', 'which nation', wholeNumber, 1)
  .option('--runs <number>', 'of each kind of search', wholeNumber, 50)
  .option('--seconds <number>', 'of each load, in each round', wholeNumber, 5)
  .option('--rounds <number>', 'of the loads', wholeNumber, 3)
  .option('--heap <megabytes>', 'of OpenSearch', wholeNumber, 1_024)
  .option('--draw <number>', 'which searches are drawn', wholeNumber, 1)
  .option('--cold <command>', 'run it when both are filled, to take their memory away, and measure each kind after it')
  .action(async (records: number, { cold, ...options }: TargetOptions & ComparisonSettings & { cold?: string }) => {
    const { compareWithOpenSearch, compareColdWithOpenSearch } = await import('./opensearch/command.js');
    const settings = { ...options, records, tell };
    const isAgreed =
      cold === undefined
        ? await compareWithOpenSearch(targetOf(options), settings)
        : await compareColdWithOpenSearch(targetOf(options), { ...settings, command: cold });
    if (!isAgreed) process.exitCode = 1;
  });

program
  .command('report')
  .description('write the tables and the plot of all results into the pages')
  .action(async () => {
    // The other commands do without a library of plots.
    const { writeReport } = await import('./report/write-report.js');
    for (const file of await writeReport()) tell(file);
  });

function wholeNumber(text: string): number {
  if (!/^\d{1,9}$/.test(text)) throw new InvalidArgumentError('Allowed: a whole number.');
  return Number(text);
}

await program.parseAsync().catch((error: unknown) => {
  tell(error instanceof Error ? error.message : String(error));
  process.exitCode = 1;
});
