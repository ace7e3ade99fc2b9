/**
 * Breaks what the built program needs, and counts what becomes of events (W-8). `npm run test:faults` runs everything
 * and writes the table of `docs/explanation/reliability.md`; `npm run test:faults -- TEXT …` runs the scenarios whose
 * fault and dispatch contain one of the texts, and writes nothing.
 */
import { spawnSync } from 'node:child_process';

import type { Tally } from './ledger.js';
import { PostgresServer } from './postgres-server.js';
import type { Row } from './report.js';
import { rowsAsTable, writeReport } from './report.js';
import type { Dispatch, Scenario } from './scenario.js';
import { BACKLOG_SCENARIOS } from './scenarios/backlog.js';
import { CONFIRMATION_SCENARIOS } from './scenarios/confirmations.js';
import { CROWD_SCENARIOS } from './scenarios/crowd.js';
import { DISK_SCENARIOS } from './scenarios/disk.js';
import { KILL_SCENARIOS } from './scenarios/kills.js';
import { NOTICE_SCENARIOS } from './scenarios/notices.js';
import { NOTIFICATION_SCENARIOS } from './scenarios/notifications.js';
import { POSTGRES_SCENARIOS } from './scenarios/postgres.js';
import { POSTMASTER_SCENARIOS } from './scenarios/postmaster.js';
import { PRIMARY_SCENARIOS } from './scenarios/primary.js';
import { PROCESS_SCENARIOS } from './scenarios/processes.js';
import { REDIS_SCENARIOS } from './scenarios/redis.js';
import { SESSION_SCENARIOS } from './scenarios/sessions.js';
import { SUBSCRIBER_SCENARIOS } from './scenarios/subscribers.js';
import { UPLOAD_SCENARIOS } from './scenarios/uploads.js';
import { World } from './world.js';

const SCENARIOS: readonly Scenario[] = [
  ...KILL_SCENARIOS,
  ...CONFIRMATION_SCENARIOS,
  ...NOTIFICATION_SCENARIOS,
  ...SESSION_SCENARIOS,
  ...NOTICE_SCENARIOS,
  ...UPLOAD_SCENARIOS,
  ...REDIS_SCENARIOS,
  ...POSTGRES_SCENARIOS,
  ...POSTMASTER_SCENARIOS,
  ...PRIMARY_SCENARIOS,
  ...DISK_SCENARIOS,
  ...SUBSCRIBER_SCENARIOS,
  ...PROCESS_SCENARIOS,
  ...BACKLOG_SCENARIOS,
  ...CROWD_SCENARIOS,
];
const BOTH: readonly Dispatch[] = ['in process', 'Bull'];
/** Scenarios that are played at a time. */
const AT_ONCE = 4;
/** How long one scenario may take. */
const SCENARIO_MS = 1_200_000;

/** What came of one: what is counted of all, and what it tells itself. */
interface Counted {
  readonly tally: Tally;
  readonly seen: string;
}

/** One scenario in one way of dispatching, and what came of it. */
interface Play {
  readonly scenario: Scenario;
  readonly dispatch: Dispatch;
  row: Row | undefined;
}

const texts = process.argv.slice(2);
const plays = SCENARIOS.flatMap((scenario) =>
  (scenario.dispatch ?? BOTH).map((dispatch): Play => ({ scenario, dispatch, row: undefined })),
).filter(
  ({ scenario, dispatch }) =>
    texts.length === 0 || texts.some((text) => `${scenario.fault}, ${dispatch}`.includes(text)),
);
if (plays.length === 0) throw new Error(`no fault contains ${texts.join(' or ')}`);
const redisVersion = requireRedis();

const postgres = await PostgresServer.start();
let failures = 0;
const worlds = new Set<World>();
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => {
    void (async () => {
      await Promise.all([...worlds].map((world) => world.remove()));
      await postgres.stop();
      process.exit(1);
    })();
  });
}
try {
  const [alone, together] = [true, false].map((isAlone) =>
    plays.filter(({ scenario: { alone = false } }) => alone === isAlone),
  );
  await playAll(together ?? [], AT_ONCE);
  await playAll(alone ?? [], 1);
  const rows = plays.flatMap(({ row }) => (row === undefined ? [] : [row]));
  process.stdout.write(`\n${rowsAsTable(rows)}\n`);
  if (failures > 0) {
    process.stderr.write(`${failures} of ${plays.length} failed; their messages stand above\n`);
    process.exitCode = 1;
  } else if (texts.length === 0) {
    const versions = `PostgreSQL ${await postgres.version()}, Redis ${redisVersion}`;
    await writeReport({ section: 'faults', command: 'test:faults' }, rowsAsTable(rows), versions);
  }
} finally {
  await postgres.stop();
}
// Whatever a scenario that failed still waits for.
process.exit();

/** Plays them in their order, so many at a time: most of what they do is to wait. */
async function playAll(all: readonly Play[], atOnce: number): Promise<void> {
  const waiting = [...all];
  await Promise.all(
    Array.from({ length: atOnce }, async () => {
      for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) await play(next);
    }),
  );
}

async function play(one: Play): Promise<void> {
  const { scenario, dispatch } = one;
  const { fault } = scenario;
  const beganMs = performance.now();
  const say = (what: string): void => {
    const seconds = ((performance.now() - beganMs) / 1_000).toFixed(0);
    process.stdout.write(`${dispatch.padEnd(10)}  ${fault}: ${what} in ${seconds} s\n`);
  };
  try {
    const { tally, seen } = await tallyOf(scenario, dispatch);
    one.row = { fault, dispatch, tally, seen, seconds: (performance.now() - beganMs) / 1_000 };
    say([`${tally.delivered} of ${tally.due}`, seen].filter(Boolean).join('; '));
  } catch (error) {
    failures += 1;
    say('FAILED');
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  }
}

async function tallyOf(scenario: Scenario, dispatch: Dispatch): Promise<Counted> {
  const world = await World.create(scenario, dispatch, postgres);
  worlds.add(world);
  const late = new Promise<never>((_, reject) => {
    setTimeout(reject, SCENARIO_MS, new Error(`it took more than ${SCENARIO_MS / 1_000} s`)).unref();
  });
  try {
    return await Promise.race([played(scenario, world), late]);
  } catch (error) {
    throw world.explained(error);
  } finally {
    await world.remove();
    worlds.delete(world);
  }
}

async function played(scenario: Scenario, world: World): Promise<Counted> {
  const { open } = scenario;
  const missed = await scenario.act(world).then(
    () => undefined,
    (error: unknown) => {
      if (open === undefined) throw error;
      return error instanceof Error ? error.message : String(error);
    },
  );
  await world.delivered();
  const mayRepeat = (scenario.mayRepeat ?? 0) + (await world.unanswered());
  const tally = await world.end();
  if (tally.lost > 0) throw new Error(`${tally.lost} deliveries were lost`);
  if (tally.differing > 0) throw new Error(`${tally.differing} deliveries came under more than one id or body`);
  if (tally.repeated > mayRepeat) throw new Error(`${tally.repeated} came again, and ${mayRepeat} may`);
  return { tally, seen: missed === undefined ? world.seen : `not held: ${missed}; open: ${open ?? ''}` };
}

/** A suite that skipped what it cannot start would pass for nothing. */
function requireRedis(): string {
  const { status, stdout } = spawnSync('redis-server', ['--version'], { encoding: 'utf8' });
  if (status !== 0) throw new Error('there is no redis-server: install one, as deliveries through Bull need it');
  return /v=(\S+)/.exec(stdout)?.[1] ?? '';
}
