import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';

import pg from 'pg';

import { eventually } from '../../support/eventually.js';
import type { Notified } from '../hospital.js';
import { Hospital, inCrowd } from '../hospital.js';
import type { ReplicatedStage } from '../replicated-stage.js';
import { replicated } from '../replicated-stage.js';
import type { Scenario } from '../scenario.js';
import { staged } from '../scenario.js';
import type { World } from '../world.js';

const KILLS = 3;
const CALLERS = 50;
const TRANSACTIONS = 400;
/** How often each is sent, one caller knowing nothing of the others. */
const TIMES = 3;
/** Nowhere: a standby that follows it gets nothing more. */
const NO_PRIMARY = 'postgres://127.0.0.1:9';

/** Events are created and notified, and those who ask do not learn what became of it. */
export const NOTIFICATION_SCENARIOS: readonly Scenario[] = [
  {
    fault: 'kill -9 during create-and-notify, three times, with repeated transactionIds over two processes',
    dispatch: ['in process'],
    act: killedWhileNotifying,
  },
  staged(replicated, {
    fault: 'a standby that is behind is promoted during create-and-notify, while the primary lives on',
    dispatch: ['in process'],
    alone: true,
    act: promotedWhileNotifying,
  }),
];

async function killedWhileNotifying(world: World): Promise<void> {
  const { service } = world;
  const hospital = await Hospital.register(world, [service, await world.startService()]);
  const { transactions, sent } = transactionsOf();
  const answers = new Answers();
  const kills = async (): Promise<void> => {
    for (let kill = 1; kill <= KILLS; kill += 1) {
      await answers.atLeast((kill * sent.length) / (KILLS + 2));
      await service.kill();
      await service.start();
    }
  };
  const notifying = inCrowd(CALLERS, sent, async (one) => {
    answers.add(one, await hospital.notify(one));
  });
  await Promise.all([kills(), notifying]);
  await requireOneEach(world, transactions, answers);
}

/**
 * The new primary has everything up to some moment, when it lost the old one, and nothing of what that one took after
 * it. The old one goes on: whoever wrote to it would still be answered.
 */
async function promotedWhileNotifying(world: World, stage: ReplicatedStage): Promise<void> {
  const { proxy, standby, primaryUrl } = stage;
  const hospital = await Hospital.register(world, [world.service, await world.startService()]);
  const { transactions, sent } = transactionsOf();
  const [before, after] = [new Answers(), new Answers()];
  let answers = before;
  const kept = new Map<string, string>();
  const old = new pg.Client({ connectionString: primaryUrl });
  old.on('error', () => undefined);
  await old.connect();
  const eventsOfOld = async (): Promise<number> =>
    (await old.query<{ count: number }>('select count(*)::int as count from event')).rows[0]?.count ?? 0;
  const promotion = async (): Promise<number> => {
    await before.atLeast(sent.length / 4);
    for (const [transaction, [answer]] of before.all) kept.set(transaction, answer ?? '');
    const { rows } = await old.query<{ lsn: string }>('select pg_current_wal_flush_lsn()::text as lsn');
    await eventually('the standby has what was answered', async () => {
      const [row] = (
        await old.query<{ has: boolean }>('select replay_lsn >= $1 as has from pg_stat_replication', [rows[0]?.lsn])
      ).rows;
      return row?.has === true;
    });
    await standby.kill();
    await before.atLeast(sent.length / 2);
    // From here on nothing reaches the old one; what an open connection was answered counts as before.
    proxy.leadTo(standby.url);
    proxy.breakAll();
    await eventually('the old one has no sessions of the service', async () => {
      const [row] = (
        await old.query<{ count: number }>(
          `select count(*)::int as count from pg_stat_activity
          where datname = current_database() and backend_type = 'client backend' and pid <> pg_backend_pid()`,
        )
      ).rows;
      return row?.count === 0;
    });
    const eventsThen = await eventsOfOld();
    await standby.start(NO_PRIMARY);
    answers = after;
    await standby.promote();
    stage.follow();
    return eventsThen;
  };
  try {
    const notifying = inCrowd(CALLERS, sent, async (one) => {
      const answer = await hospital.notify(one);
      answers.add(one, answer);
    });
    const [eventsThen] = await Promise.all([promotion(), notifying]);
    // Whoever asked last of all before the promotion asks again.
    await inCrowd(CALLERS, transactions, async (one) => {
      after.add(one, await hospital.notify(one));
    });
    await requireOneEach(world, transactions, after);
    const lost = [...kept].filter(([transaction, answer]) => after.all.get(transaction)?.has(answer) !== true);
    const eventsNow = await eventsOfOld();
    if (lost.length > 0 || eventsNow !== eventsThen) {
      throw new Error(
        `${lost.length} of ${kept.size} that were answered and replicated became others; ` +
          `the old primary got ${eventsNow - eventsThen} more events`,
      );
    }
    const others = [...before.all].filter(([one, given]) =>
      [...given].some((answer) => !after.all.get(one)?.has(answer)),
    );
    world.seen =
      `${kept.size} answered and replicated are the same events; ${others.length} that only the old primary had ` +
      'were made anew by their retries; none was written to the old one';
  } finally {
    await old.end().catch(() => undefined);
  }
}

/** Ids of transactions, and the order in which they are sent: each several times. */
function transactionsOf(): { readonly transactions: readonly string[]; readonly sent: readonly string[] } {
  const transactions = Array.from({ length: TRANSACTIONS }, () => randomUUID());
  return { transactions, sent: Array.from({ length: TIMES }, () => transactions).flat() };
}

/** What was answered to each transaction; more than one text where answers differed. */
class Answers {
  readonly all = new Map<string, Set<string>>();
  private count = 0;

  add(transaction: string, { id, trackingId, actions }: Notified): void {
    const known = this.all.get(transaction) ?? new Set();
    this.all.set(transaction, known.add([id, trackingId, ...actions.map((action) => action.id)].join()));
    this.count += 1;
  }

  async atLeast(count: number): Promise<void> {
    while (this.count < count) await sleep(10);
  }
}

/** Each transaction has one event, one key and one audit row, and whoever asked got the same answer. */
async function requireOneEach(world: World, transactions: readonly string[], { all }: Answers): Promise<void> {
  const differing = [...all.values()].filter(({ size }) => size !== 1);
  const [stored] = await world.query<{ events: number; keys: number; rows: number }>(`
    select (select count(*)::int from event) as events, (select count(*)::int from performed_operation) as keys,
           (select count(*)::int from audit_log where operation = 'event.actions.notify.request') as rows`);
  const { events = 0, keys = 0, rows = 0 } = stored ?? {};
  if (differing.length > 0 || [all.size, events, keys, rows].some((count) => count !== transactions.length)) {
    throw new Error(
      `${transactions.length} transactionIds: ${all.size} answered, ${events} events, ${keys} keys, ${rows} audit rows, ` +
        `${differing.length} with differing answers`,
    );
  }
}
