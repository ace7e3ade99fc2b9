/**
 * Breaks what the built program needs, one thing after the other, and counts what becomes of events (issue: nothing is
 * lost). `npm run test:faults` runs everything and writes the table of `docs/reliability.md`;
 * `npm run test:faults -- TEXT …` runs the scenarios whose fault contains one of the texts, and writes nothing.
 */
import { spawnSync } from 'node:child_process';

import { PostgresServer } from './postgres-server.js';
import type { Row } from './report.js';
import { rowsAsTable, writeReport } from './report.js';
import type { Dispatch, Scenario } from './scenario.js';
import { BACKLOG_SCENARIOS } from './scenarios/backlog.js';
import { KILL_SCENARIOS } from './scenarios/kills.js';
import { POSTGRES_SCENARIOS } from './scenarios/postgres.js';
import { PROCESS_SCENARIOS } from './scenarios/processes.js';
import { REDIS_SCENARIOS } from './scenarios/redis.js';
import { SUBSCRIBER_SCENARIOS } from './scenarios/subscribers.js';
import { World } from './world.js';

const SCENARIOS: readonly Scenario[] = [
  ...KILL_SCENARIOS,
  ...REDIS_SCENARIOS,
  ...POSTGRES_SCENARIOS,
  ...SUBSCRIBER_SCENARIOS,
  ...PROCESS_SCENARIOS,
  ...BACKLOG_SCENARIOS,
];
const BOTH: readonly Dispatch[] = ['in process', 'Bull'];
/** How long one scenario may take. */
const SCENARIO_MS = 1_200_000;

const texts = process.argv.slice(2);
const chosen = SCENARIOS.filter(({ fault }) => texts.length === 0 || texts.some((text) => fault.includes(text)));
if (chosen.length === 0) throw new Error(`no fault contains ${texts.join(' or ')}`);
const redisVersion = requireRedis();

const postgres = await PostgresServer.start();
const rows: Row[] = [];
const failures: string[] = [];
let world: World | undefined;
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => {
    void (async () => {
      await world?.remove();
      await postgres.stop();
      process.exit(1);
    })();
  });
}
try {
  for (const scenario of chosen) {
    for (const dispatch of scenario.dispatch ?? BOTH) await attempt(scenario, dispatch);
  }
  process.stdout.write(`\n${rowsAsTable(rows)}\n`);
  if (failures.length > 0) {
    process.stderr.write(
      `${failures.length} of ${failures.length + rows.length} failed:\n\n${failures.join('\n\n')}\n`,
    );
    process.exitCode = 1;
  } else if (texts.length === 0) {
    await writeReport(rows, { postgres: await postgres.version(), redis: redisVersion });
  }
} finally {
  await postgres.stop();
}

async function attempt(scenario: Scenario, dispatch: Dispatch): Promise<void> {
  const { fault } = scenario;
  process.stdout.write(`${dispatch.padEnd(10)}  ${fault} … `);
  const beganMs = performance.now();
  try {
    const tally = await tallyOf(scenario, dispatch);
    const seconds = (performance.now() - beganMs) / 1_000;
    rows.push({ fault, dispatch, tally, seconds });
    process.stdout.write(`${tally.delivered} of ${tally.due} in ${seconds.toFixed(0)} s\n`);
  } catch (error) {
    failures.push(`${fault}, ${dispatch}: ${error instanceof Error ? error.message : String(error)}`);
    process.stdout.write('FAILED\n');
  }
}

async function tallyOf(scenario: Scenario, dispatch: Dispatch): Promise<Row['tally']> {
  const own = await World.create(scenario, dispatch, postgres);
  world = own;
  const late = new Promise<never>((_, reject) => {
    setTimeout(reject, SCENARIO_MS, new Error(`it took more than ${SCENARIO_MS / 1_000} s`)).unref();
  });
  try {
    const tally = await Promise.race([played(scenario, own), late]);
    if (tally.lost > 0) throw new Error(`${tally.lost} deliveries were lost`);
    if (tally.differing > 0) throw new Error(`${tally.differing} deliveries came under more than one id or body`);
    const { mayRepeat = 0 } = scenario;
    if (tally.repeated > mayRepeat) throw new Error(`${tally.repeated} came again, and ${mayRepeat} may`);
    return tally;
  } catch (error) {
    throw own.explained(error);
  } finally {
    await own.remove();
    world = undefined;
  }
}

async function played(scenario: Scenario, world: World): Promise<Row['tally']> {
  await scenario.act(world);
  await world.delivered();
  return world.end();
}

/** A suite that skipped what it cannot start would pass for nothing. */
function requireRedis(): string {
  const { status, stdout } = spawnSync('redis-server', ['--version'], { encoding: 'utf8' });
  if (status !== 0) throw new Error('there is no redis-server: install one, as deliveries through Bull need it');
  return /v=(\S+)/.exec(stdout)?.[1] ?? '';
}
