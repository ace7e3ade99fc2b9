import { setTimeout as sleep } from 'node:timers/promises';

import { request } from 'undici';

import { aRecord } from '../../support/builders/a-record.js';
import { succeed } from '../../support/command-line.js';
import { eventually } from '../../support/eventually.js';
import { storeAll } from '../bulk.js';
import type { ProxiedStage, ReplicatedStage } from '../replicated-stage.js';
import { proxied, replicated } from '../replicated-stage.js';
import type { Scenario } from '../scenario.js';
import { staged } from '../scenario.js';
import { SearchLoad } from '../search-load.js';
import type { World } from '../world.js';

/** so long after the database can be reached. */
const SERVED_MS = 10_000;
const AWAY_MS = 5_000;
const SILENT_MS = 15_000;
/** After which a server gives up a session that shows no sign of life: `applySessionSettings`. */
const GIVEN_UP_MS = 5_000;
const NOTICED_MS = 30_000;
const LOST_IDS = 300;

/** The database is not the one of a moment ago, or nothing comes of what is sent to it. */
export const PRIMARY_SCENARIOS: readonly Scenario[] = [
  staged(replicated, {
    fault: 'an asynchronous standby that was behind is promoted',
    dispatch: ['in process'],
    alone: true,
    act: promoted,
  }),
  staged(replicated, {
    fault: 'a standby in place of the primary, and the primary back',
    alone: true,
    act: inPlace,
  }),
  staged(proxied, { fault: 'connections to PostgreSQL go silent, and come back', alone: true, act: silent }),
];

async function promoted(world: World, stage: ReplicatedStage): Promise<void> {
  const { proxy, standby } = stage;
  const named = (firstname: string): Promise<void> =>
    storeAll(world, [aRecord({ declaration: { 'child.name': { firstname, surname: 'Phiri' } } })]);
  await named('Wakumelo');
  await world.meanwhile(() => sleep(AWAY_MS));
  await world.delivered();
  await eventually('the standby has all of it', () => hasAll(world));
  await standby.kill();
  for (let taken = 0; taken < LOST_IDS; taken += 1) await world.query('select pg_current_xact_id()');
  await named('Chukwuemeka');
  await eventually('a name is found', async () => (await totalOf(world, 'Chukwuemekx')) === 1);

  await stage.losePrimary();
  await standby.start();
  proxy.leadTo(standby.url);
  await isReady(world, '503, database standby');
  await standby.promote();
  const promotedMs = performance.now();
  const load = await SearchLoad.begin(world);
  const servedMs = performance.now() - promotedMs;
  await world.meanwhile(() => named('Abimbola'));
  const totals = await Promise.all(['Abimbolx', 'Wakumelx', 'Chukwuemekx'].map((name) => totalOf(world, name)));
  await load.end();
  if (totals.join() !== '1,1,0') throw new Error(`names were found ${totals.join()} times, and not 1,1,0`);
  world.seen = `names written after it are found, those that it had not got are not; served ${seconds(servedMs)} after it`;
  if (servedMs > SERVED_MS) throw new Error(world.seen);
}

/** Whether the standby has replayed what the primary has written; deliveries at rest write nothing. */
async function hasAll(world: World): Promise<boolean> {
  const [row] = await world.query<{ lag: string | null }>(
    'select pg_wal_lsn_diff(pg_current_wal_lsn(), replay_lsn)::text as lag from pg_stat_replication',
  );
  return row?.lag === '0';
}

async function inPlace(world: World, { proxy, standby, primaryUrl }: ReplicatedStage): Promise<void> {
  const load = await SearchLoad.begin(world);
  const { token, clientId } = await world.subscribe([]);
  const accepted: number[] = [];
  let servedMs = 0;
  await world.meanwhile(async () => {
    proxy.leadTo(standby.url);
    proxy.breakAll();
    await isReady(world, '503, database standby');
    await succeed(['clients', 'deactivate', clientId], { ...world.environment, DATABASE_URL: primaryUrl });
    const isTaken = async (): Promise<void> => {
      const answer = await fetch(`${world.service.urls?.publicUrl ?? ''}/webhooks`, {
        headers: { authorization: `Bearer ${token}` },
      });
      await answer.text();
      if (answer.status < 400) accepted.push(answer.status);
    };
    for (const untilMs = performance.now() + AWAY_MS; performance.now() < untilMs;) {
      await isTaken();
      await sleep(100);
    }
    proxy.leadTo(primaryUrl);
    proxy.breakAll();
    const backMs = performance.now();
    servedMs = await load.served(backMs);
    await isReady(world, '200, database up');
    for (let times = 0; times < 20; times += 1) await isTaken();
  });
  await load.end();
  if (accepted.length > 0) throw new Error('the token of a client that was deactivated was accepted');
  world.seen = `503 and unready meanwhile, the token of a deactivated client refused; served ${seconds(servedMs)} after it`;
  if (servedMs > SERVED_MS) throw new Error(world.seen);
}

async function silent(world: World, { proxy }: ProxiedStage): Promise<void> {
  const load = await SearchLoad.begin(world);
  let [replacedMs, servedMs] = [0, 0];
  await world.meanwhile(async () => {
    // Those that stand are dead, and others can be made.
    proxy.freeze();
    const frozenMs = performance.now();
    [replacedMs] = await Promise.all([load.served(frozenMs), sleep(GIVEN_UP_MS)]);
    proxy.giveUpFrozen();
    await sleep(AWAY_MS);
    // Nothing passes at all.
    proxy.hang();
    await sleep(GIVEN_UP_MS);
    proxy.giveUpFrozen();
    await sleep(SILENT_MS - GIVEN_UP_MS);
    await isReady(world, '503, database down');
    proxy.passNew();
    servedMs = await load.served(performance.now());
    await isReady(world, '200, database up');
  });
  await load.end();
  world.seen =
    `served ${seconds(replacedMs)} after its connections died; ` +
    `${seconds(servedMs)} after the end of ${SILENT_MS / 1_000} s in which nothing passed`;
  if (Math.max(replacedMs, servedMs) > SERVED_MS) throw new Error(world.seen);
}

const seconds = (ms: number): string => `${(ms / 1_000).toFixed(1)} s`;

const isReady = (world: World, state: string): Promise<void> =>
  eventually(`readiness is ${state}`, async () => (await world.service.readiness('database')) === state, NOTICED_MS);

/** How many records a fuzzy search finds; a status where it finds none out. */
async function totalOf(world: World, term: string): Promise<number | undefined> {
  const answer = await request(`${world.service.urls?.publicUrl ?? ''}/events/search`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${await world.token}` },
    body: JSON.stringify({ query: { clauses: [{ data: { 'child.name': { type: 'fuzzy', term } } }] } }),
  });
  const { total } = (await answer.body.json()) as { readonly total?: number };
  return total;
}
