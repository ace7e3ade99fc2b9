/**
 * The 22 kinds of search, an earlier build and this one, each started anew for every pair, and the earlier one a second
 * time beside them: `npx tsx bench/pairs.ts --filled URL --old-filled URL --old DIST`. What the earlier build takes
 * against itself is the spread within which nothing can be said of a row.
 */
import { drawNation } from './data/nation.js';
import { medianOf } from './measure/spread.js';
import { Draws } from './search/query-kinds.js';
import { readLoaded } from './service/bench-database.js';
import type { RequestKind } from './turns/program.js';
import { Program } from './turns/program.js';
import { requestKinds } from './turns/requests.js';
import type { TwoBuilds } from './turns/two-builds.js';
import { comparison } from './turns/two-builds.js';

interface Options extends TwoBuilds {
  readonly pairs: number;
  readonly runs: number;
}

/** The medians of one kind in one pair, in milliseconds. */
interface Pair {
  readonly old: number;
  readonly again: number;
  readonly new: number;
}

const WARM_UP_RUNS = 20;
const WANTED = 1.03;

const program = comparison('pairs')
  .option('--pairs <number>', 'how often the programs are started', Number, 5)
  .option('--runs <number>', 'searches of each kind and program in a pair', Number, 60)
  .action(async (options: Options) => {
    const loaded = await readLoaded(options.filled);
    const pairs = new Map<string, Pair[]>();
    for (let pair = 0; pair < options.pairs; pair++) {
      const draws = new Draws(drawNation(loaded.seed), loaded.drawn, loaded.untilMs, pair + 1);
      const kinds = requestKinds(draws, options.administrator).filter(({ name }) => /^\d\d/.test(name));
      const asked = kinds.filter(({ name }) => new RegExp(options.only).test(name));
      const programs: Program[] = [];
      try {
        for (const at of [0, 1, 2]) {
          const isNew = at === pair % 3;
          const filled = isNew ? options.filled : (options.oldFilled ?? options.filled);
          programs.push(await Program.start(filled, isNew ? options.new : options.old, []));
        }
        for (const kind of asked) {
          const medians = await mediansOf(kind, programs, options.runs);
          const [newOne, old, again] = [0, 1, 2].map((step) => medians[((pair % 3) + step) % 3] ?? NaN);
          const found = { old: old ?? NaN, again: again ?? NaN, new: newOne ?? NaN };
          pairs.set(kind.name, [...(pairs.get(kind.name) ?? []), found]);
        }
      } finally {
        for (const one of programs) await one.stop();
      }
      console.error(`pair ${pair + 1} of ${options.pairs}`);
    }
    for (const [name, found] of pairs) console.log(rowOf(name, found));
  });

/** Each body is asked of every program in turn, and each program is as often the first. */
async function mediansOf({ ask }: RequestKind, programs: readonly Program[], runs: number): Promise<number[]> {
  const taken = programs.map((): number[] => []);
  for (let run = 0; run < WARM_UP_RUNS + runs; run++) {
    for (let step = 0; step < programs.length; step++) {
      const at = (run + step) % programs.length;
      const one = programs[at];
      if (one === undefined) continue;
      const began = performance.now();
      await ask(one, run);
      if (run >= WARM_UP_RUNS) taken[at]?.push(performance.now() - began);
    }
  }
  return taken.map(medianOf);
}

function rowOf(name: string, pairs: readonly Pair[]): string {
  const ratio = medianOf(pairs.map((pair) => (2 * pair.new) / (pair.old + pair.again)));
  const ofItself = pairs.map(({ old, again }) => Math.max(old, again) / Math.min(old, again));
  const spread = Math.max(...ofItself);
  const figures = [medianOf(pairs.map(({ old }) => old)), medianOf(pairs.map((pair) => pair.new))];
  const verdict = ratio <= WANTED ? 'within' : ratio <= spread ? 'within the spread' : 'past';
  return `| ${name} | ${figures.map((ms) => ms.toFixed(2)).join(' | ')} | ${ratio.toFixed(2)} | ${spread.toFixed(2)} | ${verdict} |`;
}

await program.parseAsync();
