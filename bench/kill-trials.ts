/**
 * Kills the built program with SIGKILL at random moments of a reindex, a fold of the bitmaps or an import, while
 * records are changed, and proves after each kill that what is derived is what the records say: `npx tsx
 * bench/kill-trials.ts reindex --database URL [--trials 20] [--records 25000]`, on an empty database.
 */
import { once } from 'node:events';
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { finished } from 'node:stream/promises';
import { setTimeout as sleep } from 'node:timers/promises';

import { Command, Option } from 'commander';

import type { Target } from './service/program.js';
import { outputOf, startCommand, startServe } from './service/program.js';

type Running = ReturnType<typeof startCommand>;

/** What is killed, and how it comes to have work to do. */
interface Trial {
  readonly victim: (changes: string) => Running;
  /** Whether something else changes records meanwhile. */
  readonly changing: boolean;
}

const tell = (line: string): void => {
  process.stderr.write(`${new Date().toISOString().slice(11, 19)} ${line}\n`);
};

interface Options {
  readonly database: string;
  readonly dist: string;
  readonly trials: number;
  readonly records: number;
}

async function run(what: string, { database, dist, trials, records }: Options): Promise<void> {
  const target: Target = { databaseUrl: database, dist };
  const trial = trialsOf(target)[what];
  if (trial === undefined) throw new Error(`there are trials of ${Object.keys(trialsOf(target)).join(', ')}`);
  const directory = await mkdtemp(join(tmpdir(), 'kill-trials-'));
  try {
    await outputOf(target, 'seed', '--records', String(records));
    const wholeMs = await lengthOf(target, trial, directory);
    tell(`undisturbed it takes ${(wholeMs / 1_000).toFixed(1)} s`);
    let [killed, bad] = [0, 0];
    for (let number = 1; number <= trials; number++) {
      const afterMs = Math.random() * wholeMs;
      const wasKilled = await attempt(target, trial, { directory, number, afterMs });
      const differences = await check(target);
      if (wasKilled) killed += 1;
      if (differences.length > 0) bad += 1;
      tell(
        `${number}: ${wasKilled ? 'killed' : 'had ended'} after ${afterMs.toFixed(0)} ms, ` +
          (differences.length === 0 ? 'clean' : JSON.stringify(differences)),
      );
    }
    process.stdout.write(`${what}: ${killed} kills on ${records} records, ${bad} checks with differences\n`);
    if (bad > 0) process.exitCode = 1;
  } finally {
    await rm(directory, { recursive: true });
  }
}

const trialsOf = (target: Target): Readonly<Record<string, Trial>> => ({
  reindex: { victim: () => startCommand(target, 'reindex'), changing: true },
  // The bitmaps are folded by whichever process serves.
  fold: { victim: () => startServe(target), changing: true },
  import: { victim: (changes) => startCommand(target, 'import', 'records', changes), changing: false },
});

/** How long the victim's work takes when nothing kills it; a service has work for as long as records are changed. */
async function lengthOf(target: Target, { victim, changing }: Trial, directory: string): Promise<number> {
  const changes = await changedRecords(target, directory, 0);
  const beganMs = performance.now();
  const running = drained(victim(changes));
  const ended = once(running, 'exit').then(() => performance.now() - beganMs);
  if (!changing) return ended;
  await outputOf(target, 'import', 'records', changes);
  const changedMs = performance.now() - beganMs;
  // A reindex comes to its end when nothing is changed any more, a service when it is told to.
  const wholeMs = await Promise.race([ended, sleep(20_000).then(() => changedMs)]);
  running.kill('SIGTERM');
  await ended;
  return wholeMs;
}

interface Moment {
  readonly directory: string;
  readonly number: number;
  readonly afterMs: number;
}

/** Yields whether there was still something to kill. */
async function attempt(
  target: Target,
  { victim, changing }: Trial,
  { directory, number, afterMs }: Moment,
): Promise<boolean> {
  const changes = await changedRecords(target, directory, number);
  const running = drained(victim(changes));
  const ended = once(running, 'exit');
  const importing = changing ? outputOf(target, 'import', 'records', changes) : Promise.resolve('');
  await sleep(afterMs);
  const wasKilled = running.exitCode === null && running.kill('SIGKILL');
  await Promise.all([ended, importing]);
  return wasKilled;
}

/** Every record, with something else about it than before: a file to be imported. */
async function changedRecords(target: Target, directory: string, round: number): Promise<string> {
  const [all, changed] = [join(directory, 'all.ndjson'), join(directory, 'changed.ndjson')];
  const exporting = startCommand(target, 'export', 'records');
  exporting.stderr.resume();
  await finished(exporting.stdout.pipe(createWriteStream(all)));
  const output = createWriteStream(changed);
  for await (const line of createInterface(createReadStream(all))) {
    const record = JSON.parse(line) as { status: string; flags: readonly string[]; trackingId: string };
    const status = record.status === 'REGISTERED' ? 'ARCHIVED' : 'REGISTERED';
    const declaration = { ...(record as object as { declaration: object }).declaration, 'round.words': `word${round}` };
    if (!output.write(`${JSON.stringify({ ...record, status, flags: [`round-${round}`], declaration })}\n`)) {
      await once(output, 'drain');
    }
  }
  output.end();
  await finished(output);
  return changed;
}

async function check(target: Target): Promise<readonly unknown[]> {
  const checking = startCommand(target, 'reindex', '--check', '--json');
  checking.stderr.resume();
  let answer = '';
  checking.stdout.on('data', (chunk: Buffer) => (answer += chunk.toString()));
  await once(checking, 'close');
  return (JSON.parse(answer) as { readonly differences: readonly unknown[] }).differences;
}

function drained(running: Running): Running {
  running.stdout.resume();
  running.stderr.resume();
  return running;
}

await new Command('kill-trials')
  .argument('<what>', 'reindex, fold or import')
  .requiredOption('--database <url>', 'an empty database')
  .addOption(new Option('--dist <directory>', 'the built program').default('dist/src'))
  .option('--trials <number>', 'how many kills', Number, 20)
  .option('--records <number>', 'how many records; bitmaps are kept of 20000 and more', Number, 25_000)
  .action(run)
  .parseAsync();
