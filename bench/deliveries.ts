/**
 * How fast events reach subscribers: `npx tsx bench/deliveries.ts --help`. Its results are in
 * bench/HISTORY.md.
 */
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { Command, InvalidArgumentError } from 'commander';

import type { ArrivalsOptions } from './deliveries/arrivals.js';
import { arrivalTimes } from './deliveries/arrivals.js';
import type { Paced, PacedOptions } from './deliveries/paced.js';
import { paced } from './deliveries/paced.js';
import { throughput } from './deliveries/throughput.js';
import type { TriggersOptions } from './deliveries/triggers.js';
import { triggers } from './deliveries/triggers.js';
import { measured } from './measure/about.js';
import { medianOf, spreadOf } from './measure/spread.js';

const ROOT = join(dirname(fileURLToPath(import.meta.url)), '..');

interface Common {
  readonly server: string;
  readonly redis?: string;
  readonly dist: string;
  readonly node?: string;
}

const whole = (text: string): number => {
  if (!/^[1-9]\d*$/.test(text)) throw new InvalidArgumentError('a whole number is needed');
  return Number(text);
};

const wholes = (text: string): readonly number[] => text.split(',').map(whole);

const onServer = (command: Command): Command =>
  command
    .requiredOption('--server <url>', 'a PostgreSQL on which databases may be made', process.env.BENCH_SERVER_URL)
    .option('--redis <url>', 'dispatch through Bull; in the process when absent')
    .option('--dist <directory>', 'the built program', join(ROOT, 'dist/src'))
    .option('--node <options>', 'options of the service’s Node, such as --cpu-prof');

const targetOf = ({ server, redis, dist, node }: Common) => ({
  serverUrl: server,
  redisUrl: redis,
  dist,
  nodeOptions: node?.split(' ') ?? [],
});

const tell = (line: string): void => {
  process.stderr.write(`${new Date().toISOString().slice(11, 19)} ${line}\n`);
};

async function report(server: string, work: () => Promise<object>): Promise<void> {
  const [about, found] = await measured(server, work);
  const command = about.command.replace('matricula bench', 'npx tsx bench/deliveries.ts');
  console.log(JSON.stringify({ about: { ...about, command }, found }, rounded, 2));
}

const rounded = (_: string, value: unknown): unknown =>
  typeof value === 'number' && !Number.isInteger(value) ? Number(value.toPrecision(3)) : value;

const program = new Command('deliveries').description('measures how fast events reach subscribers');

onServer(program.command('throughput'))
  .description('deliveries a second to one subscriber for whom events wait, beside bare POSTs with as much in flight')
  .option('--events <number>', 'how many wait', whole, 20_000)
  .option('--in-flight <number>', 'at a time', whole, 5)
  .option('--runs <number>', 'how often', whole, 3)
  .action(async (options: Common & { readonly events: number; readonly inFlight: number; readonly runs: number }) => {
    await report(options.server, async () => {
      const runs = [];
      for (let run = 0; run < options.runs; run += 1) {
        const found = await throughput({ ...targetOf(options), events: options.events, inFlight: options.inFlight });
        const { service, postgres } = found.cpu;
        tell(
          `${found.perSecond.toFixed(0)}/s, ${(100 * found.ratio).toFixed(0)} % of the floor; ` +
            `${service.toFixed(0)} µs of the service, ${postgres.toFixed(0)} µs of Postgres`,
        );
        runs.push(found);
      }
      return { ratio: medianOf(runs.map(({ ratio }) => ratio)), runs };
    });
  });

type Pace = Common & Pick<PacedOptions, 'healthy' | 'perSecond' | 'seconds'>;

const withPace = (command: Command, seconds: number): Command =>
  onServer(command)
    .option('--healthy <number>', 'subscribers that answer at once', whole, 8)
    .option('--per-second <number>', 'deliveries to them together', whole, 200)
    .option('--seconds <number>', 'for how long', whole, seconds);

/** Without every single one. */
const brief = (run: Paced): object => ({ ...run, samples: run.samples.length });

withPace(program.command('neighbours'), 60)
  .description('how much longer healthy subscribers wait when one more hangs and one more is dead, by turns')
  .option('--runs <number>', 'of each', whole, 3)
  .action(async (options: Pace & { readonly runs: number }) => {
    await report(options.server, async () => {
      const alone: Paced[] = [];
      const beside: Paced[] = [];
      for (let run = 0; run < options.runs; run += 1) {
        alone.push(await paced({ ...options, ...targetOf(options), faulty: false }));
        beside.push(await paced({ ...options, ...targetOf(options), faulty: true }));
        tell([alone, beside].map((runs) => `p95 ${runs.at(-1)?.latencyMs.p95 ?? NaN} ms`).join(' alone, beside '));
      }
      const [before, after] = [alone, beside].map((runs) => spreadOf(runs.flatMap(({ samples }) => samples)));
      return {
        alone: before,
        beside: after,
        change: (after?.p95 ?? NaN) / (before?.p95 ?? NaN) - 1,
        runs: { alone: alone.map(brief), beside: beside.map(brief) },
      };
    });
  });

onServer(program.command('paced'))
  .description('how long events wait that come one by one, for one subscriber that takes its time to answer each')
  .option('--per-second <number>', 'events', whole, 12)
  .option('--answer-ms <number>', 'what the subscriber takes for an answer', whole, 200)
  .option('--seconds <number>', 'for how long', whole, 60)
  .action(async (options: Common & Pick<PacedOptions, 'perSecond' | 'seconds'> & { readonly answerMs: number }) => {
    await report(options.server, async () =>
      brief(await paced({ ...options, ...targetOf(options), healthy: 1, faulty: false })),
    );
  });

onServer(program.command('arrivals'))
  .description('how long events take from their answer to their subscribers, and the processor time of both')
  .option('--per-second <number>', 'events', whole, 50)
  .option(
    '--subscriptions <numbers>',
    'to each of which every event goes; several numbers are several runs',
    wholes,
    [1],
  )
  .option('--seconds <number>', 'for how long', whole, 20)
  .action(
    async (
      options: Common & Pick<ArrivalsOptions, 'perSecond' | 'seconds'> & { readonly subscriptions: readonly number[] },
    ) => {
      await report(options.server, async () => {
        const runs = [];
        for (const subscriptions of options.subscriptions) {
          const found = await arrivalTimes({ ...options, ...targetOf(options), subscriptions });
          const { p50, p95 } = found.fromAnswerMs;
          tell(`${subscriptions}: p50 ${p50.toFixed(2)} ms, p95 ${p95.toFixed(2)} ms from the answer`);
          runs.push({ subscriptions, ...found });
        }
        return { runs };
      });
    },
  );

onServer(program.command('triggers'))
  .description('triggers a second that many senders bring in at once, each with a delivery of its own')
  .option('--senders <number>', 'at a time', whole, 16)
  .option('--seconds <number>', 'for how long', whole, 20)
  .action(async (options: Common & Pick<TriggersOptions, 'senders' | 'seconds'>) => {
    await report(options.server, () => triggers({ ...options, ...targetOf(options) }));
  });

withPace(program.command('sustained'), 300)
  .description('how long healthy subscribers wait beside one that hangs and one that is dead, and what memory it takes')
  .action(async (options: Pace) => {
    await report(options.server, async () => brief(await paced({ ...options, ...targetOf(options), faulty: true })));
  });

await program.parseAsync();
