/**
 * Two builds of the service by turns, each on its own copy of a database that `bench load` filled: what a look-up, a
 * full page, each kind of write take of the processor, and how many statements:
 * `npx tsx bench/by-turns.ts --filled URL --old DIST --new DIST`. Other work on the machine slows both alike.
 */
import { drawNation } from './data/nation.js';
import { importOffice } from './notified-births.js';
import { medianOf } from './measure/spread.js';
import { Draws } from './search/query-kinds.js';
import { readLoaded } from './service/bench-database.js';
import type { Taken } from './turns/program.js';
import { Program, times } from './turns/program.js';
import { requestKinds } from './turns/requests.js';
import type { TwoBuilds } from './turns/two-builds.js';
import { comparison } from './turns/two-builds.js';

interface Options extends TwoBuilds {
  readonly callers: number;
  readonly rounds: number;
  readonly nodeOption: readonly string[];
}

const PREPARED_AT_ONCE = 16;
const KEYS = ['serviceMs', 'postgresMs', 'statements', 'perSecond'] as const;

const program = comparison('by-turns')
  .option('--callers <number>', 'how many at a time', Number, 16)
  .option('--rounds <number>', 'of each program', Number, 5)
  .option('--node-option <option...>', 'given to Node before the new program, such as --cpu-prof', [])
  .action(async (options: Options) => {
    const loaded = await readLoaded(options.filled);
    const draws = new Draws(drawNation(loaded.seed), loaded.drawn, loaded.untilMs);
    const kinds = requestKinds(draws, options.administrator).filter(({ name }) => new RegExp(options.only).test(name));
    const programs = [
      await Program.start(options.oldFilled ?? options.filled, options.old, []),
      await Program.start(options.filled, options.new, options.nodeOption),
    ];
    try {
      for (const { service } of programs) await importOffice(service);
      for (const { name, count, prepare, ask } of kinds) {
        const taken: [Taken[], Taken[]] = [[], []];
        // In the first round what is hot is compiled, and read from the disk.
        for (let round = 0; round <= options.rounds; round++) {
          for (const side of round % 2 === 0 ? ([0, 1] as const) : ([1, 0] as const)) {
            const one = programs[side];
            if (one === undefined) continue;
            if (prepare) await times(count, PREPARED_AT_ONCE, (at) => prepare(one, round * count + at));
            const found = await one.taken(count, options.callers, (at) => ask(one, round * count + at));
            if (round > 0) taken[side].push(found);
          }
        }
        const median = (side: 0 | 1, key: keyof Taken): number => medianOf(taken[side].map((one) => one[key]));
        const line = KEYS.map((key) => `${key} ${median(0, key).toFixed(2)} → ${median(1, key).toFixed(2)}`);
        console.log(`${name}: ${line.join(', ')}`);
      }
    } finally {
      for (const one of programs) await one.stop();
    }
  });

await program.parseAsync();
