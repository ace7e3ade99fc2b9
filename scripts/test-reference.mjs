// Random searches against the reference evaluator, as many as are asked for, on all cores:
//   npm run test:reference -- 100000 [--seed 1] [--part 1]
// They go in parts of 2,000 searches, each part with a seed of its own (seed + part), so that a run can be taken up
// again with --part, and a difference can be looked at again with the line that it prints.
import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';

// As in test/database/search-reference.spec.ts. Each search is made twice: on databases of two collations.
const SEARCHES_PER_RUN = 40;
const RUNS_PER_PART = 50;
const PER_PART = RUNS_PER_PART * SEARCHES_PER_RUN;

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { seed: { type: 'string', default: '1' }, part: { type: 'string', default: '1' } },
});
const [searches, seed, firstPart] = [Number(positionals[0] ?? 100_000), Number(values.seed), Number(values.part)];
if (![searches, seed, firstPart].every((number) => Number.isSafeInteger(number) && number >= 1)) {
  console.error('usage: npm run test:reference -- [SEARCHES] [--seed NUMBER] [--part NUMBER]');
  process.exit(2);
}
const parts = Math.ceil(searches / PER_PART);
const began = Date.now();
const running = new Set();
let next = firstPart;
let done = 0;

function runPart(part) {
  const child = spawn(
    process.execPath,
    ['node_modules/jest/bin/jest.js', '--selectProjects', 'database', '-i', 'search-reference'],
    {
      env: {
        ...process.env,
        SEARCH_PROPERTY_RUNS: String(RUNS_PER_PART),
        SEARCH_PROPERTY_SEED: String(seed + part),
      },
      stdio: ['ignore', 'ignore', 'pipe'],
    },
  );
  running.add(child);
  return new Promise((ended) => {
    const output = text(child.stderr);
    child.once('close', (code) => {
      running.delete(child);
      output.then((lines) => ended({ code, lines }));
    });
  });
}

async function work() {
  while (next <= parts) {
    const part = next++;
    const { code, lines } = await runPart(part);
    if (code === null) return;
    if (code !== 0) {
      next = Infinity;
      for (const child of running) child.kill();
      console.error(lines);
      console.error(
        `a difference in part ${part}: npm run test:reference -- ${searches} --seed ${seed} --part ${part}`,
      );
      process.exitCode = 1;
      return;
    }
    done += 1;
    const seconds = (Date.now() - began) / 1000;
    const rate = (done * PER_PART) / seconds;
    const left = Math.ceil(((parts - firstPart + 1 - done) * PER_PART) / rate / 60);
    console.error(
      `part ${part} of ${parts}: ${done * PER_PART} searches without a difference, ${rate.toFixed(0)}/s, ${left} min left`,
    );
  }
}

await Promise.all(Array.from({ length: availableParallelism() }, work));
if (process.exitCode === undefined) {
  console.log(`${done * PER_PART} random searches, no difference (seed ${seed}, parts ${firstPart} to ${parts})`);
}
