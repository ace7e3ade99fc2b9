import { decodeJwt } from 'jose';

import { eventually } from '../../support/eventually.js';
import { TcpProxy } from '../../support/tcp-proxy.js';
import type { Tokens } from '../clerks.js';
import { Clerks } from '../clerks.js';
import type { ReplicatedStage } from '../replicated-stage.js';
import { replicated } from '../replicated-stage.js';
import type { Scenario } from '../scenario.js';
import { staged } from '../scenario.js';
import type { ServiceProcess } from '../service-process.js';
import type { World } from '../world.js';

/** Users of each kind. */
const EACH = 3;
const READY_MS = 60_000;

/**
 * The primary dies between the commit of a rotation and its answer, and after answers that the standby never heard of:
 * sessions go on with the token that the client has, and never are two branches of one good (U-3).
 */
export const SESSION_SCENARIOS: readonly Scenario[] = [
  staged(replicated, {
    fault: 'a standby that is behind is promoted, the primary having died between rotations and their answers',
    dispatch: ['in process'],
    // No machine is too slow for the longest grace.
    environment: { TWO_FA_ENABLED: 'false', CONFIG_REFRESH_TOKEN_GRACE_SECONDS: '600' },
    alone: true,
    act: promotedWhileRefreshing,
  }),
];

/** What a user was answered: the pairs of tokens of his session, the newest last. */
type Held = Tokens[];

interface Stand {
  readonly clerks: Clerks;
  readonly services: readonly ServiceProcess[];
}

async function promotedWhileRefreshing(world: World, stage: ReplicatedStage): Promise<void> {
  const { proxy, standby, primaryUrl } = stage;
  const beside = await TcpProxy.to(primaryUrl);
  try {
    const { service } = world;
    const another = await world.startService({ DATABASE_URL: beside.url });
    const clerks = await Clerks.of(world);
    const stand = { clerks, services: [service, another] };
    const group = async (): Promise<Held[]> => {
      const names = await clerks.active(EACH, service);
      return Promise.all(names.map(async (name) => [await clerks.logIn(name, service)]));
    };
    const [heard, unheard, lost, stolen] = [await group(), await group(), await group(), await group()];

    const first = await unanswered(world, stand, heard, another, () => {
      beside.freeze();
    });
    await eventually('the standby has it', () => hasAll(world));
    await standby.kill();
    for (const held of [...lost, ...stolen]) held.push(await renewed(held, stand));
    const second = await unanswered(world, stand, unheard, service, () => {
      proxy.freeze();
    });

    await stage.losePrimary();
    await standby.start();
    for (const each of [proxy, beside]) {
      each.leadTo(standby.url);
      each.breakAll();
    }
    const answered = (await Promise.all([first.answers, second.answers])).flat();
    if (answered.some((answer) => typeof answer === 'object')) throw new Error('a rotation was answered after all');
    await standby.promote();
    for (const each of stand.services) {
      await eventually('it serves', async () => (await each.readiness('database')) === '200, database up', READY_MS);
    }
    for (const held of [...heard, ...unheard, ...lost]) await goesOn(held, stand);
    for (const held of stolen) await hasOneBranch(held, stand);
    const [row] = await world.query<{ families: number; reuses: number; lost: number }>(`
      select (select count(*)::int from session_family) as families,
             (select count(*)::int from audit_log where operation = 'auth.reuse') as reuses,
             (select count(*)::int from audit_log where operation = 'auth.lostRotation') as lost`);
    if (row?.families !== 3 * EACH || row.reuses !== EACH || row.lost !== EACH) {
      throw new Error(`sessions that are left, were taken for reused, and had lost a rotation: ${JSON.stringify(row)}`);
    }
    world.seen =
      `${3 * EACH} sessions go on with the token that the client has: of ${2 * EACH} the rotation was not answered, of ` +
      `${EACH} the standby had not got it; ${EACH} end, whose token before is used; never two branches`;
  } finally {
    await beside.close();
  }
}

/** Whether the standby has replayed what the primary has written. */
async function hasAll(world: World): Promise<boolean> {
  const [row] = await world.query<{ lag: string | null }>(
    'select pg_wal_lsn_diff(pg_current_wal_lsn(), replay_lsn)::text as lag from pg_stat_replication',
  );
  return row?.lag === '0';
}

/**
 * Begins one refresh of each session at `service`, and resolves when the primary has committed them all: `cut` has cut
 * the service off while they waited for their rows. `answers` settles with what was answered in the end.
 */
async function unanswered(
  world: World,
  { clerks }: Stand,
  group: readonly Held[],
  service: ServiceProcess,
  cut: () => void,
): Promise<{ readonly answers: Promise<readonly (Tokens | number | undefined)[]> }> {
  const ids = group.map((held) => `'${String(decodeJwt(newest(held).token)['sid'])}'`).join();
  const count = async (statement: string): Promise<number> =>
    (await world.query<{ count: number }>(`select count(*)::int as count from ${statement}`))[0]?.count ?? 0;
  return world.connected(async (client) => {
    await client.query('begin');
    await client.query(`select from session_family where family_id in (${ids}) for update`);
    const answers = Promise.all(group.map((held) => clerks.refresh(newest(held), service)));
    const waiting = `pg_stat_activity where wait_event_type = 'Lock' and query like '%update session_family%'`;
    await eventually('all wait for their rows', async () => (await count(waiting)) === group.length);
    cut();
    await client.query('commit');
    const rotated = `session_family where family_id in (${ids}) and rotated_at is not null`;
    await eventually('all are committed', async () => (await count(rotated)) === group.length);
    return { answers };
  });
}

/** The client never got an answer, and asks again; or has a token that the new primary never heard of. */
async function goesOn(held: Held, stand: Stand): Promise<void> {
  for (let times = 0; times < 2; times += 1) held.push(await renewed(held, stand));
  await requireAll(held, stand, true);
}

/** Somebody else uses the token before, which the new primary takes for the current one; then the owner uses his. */
async function hasOneBranch(held: Held, stand: Stand): Promise<void> {
  const [before, own] = held;
  if (before === undefined || own === undefined) throw new Error('it was not refreshed');
  const other = await renewed([before], stand);
  await requireRefused(own, stand);
  await requireRefused(other, stand);
  await requireAll([...held, other], stand, false);
}

async function renewed(held: Held, { clerks, services }: Stand): Promise<Tokens> {
  const answer = await clerks.refresh(newest(held), services[0] as ServiceProcess);
  if (typeof answer !== 'object') throw new Error(`a refresh was answered ${String(answer)}`);
  return answer;
}

async function requireRefused(tokens: Tokens, { clerks, services }: Stand): Promise<void> {
  for (const service of services) {
    const answer = await clerks.refresh(tokens, service);
    if (answer !== 401) throw new Error(`a refresh token that is not good was answered ${JSON.stringify(answer)}`);
  }
}

/** All access tokens of a session are accepted by every process, or soon refused (G-3). */
async function requireAll(held: Held, { clerks, services }: Stand, accepted: boolean): Promise<void> {
  const pairs = services.flatMap((service) => held.map((tokens) => [tokens, service] as const));
  await eventually(`its access tokens are ${accepted ? 'accepted' : 'refused'}`, async () => {
    const verdicts = await Promise.all(pairs.map((pair) => clerks.isAccepted(...pair)));
    return verdicts.every((verdict) => verdict === accepted);
  });
}

function newest(held: Held): Tokens {
  const tokens = held.at(-1);
  if (tokens === undefined) throw new Error('there is no session');
  return tokens;
}
