import { setTimeout as sleep } from 'node:timers/promises';

import { answers } from '../../support/scripted-subscriber.js';
import { eventually } from '../../support/eventually.js';
import { notificationOf } from '../receiver.js';
import type { Scenario } from '../scenario.js';
import { shiftedClock } from '../shifted-clock.js';
import type { World } from '../world.js';

const TOGETHER_MS = 3_000;
const KILLS = 3;
/** Deliveries at a time to one subscription: any of them may have been acknowledged when the process died. */
const IN_FLIGHT = 5;
const FIVE_MINUTES_MS = 300_000;
/** How far a time that was sent may be from the time at which it arrived: it was in flight, and is in whole seconds. */
const TOLERANCE_MS = 10_000;

/** Several processes on one database. */
export const PROCESS_SCENARIOS: readonly Scenario[] = [
  { fault: 'two processes on one database', act: twoProcesses },
  {
    fault: 'two processes on one database, one of them killed (kill -9) three times',
    mayRepeat: KILLS * IN_FLIGHT,
    // What it held is the other's when its lock falls (W-16).
    environment: { WEBHOOK_LEASE_SECONDS: '600' },
    act: oneKilled,
  },
  { fault: 'two processes, the clock of one five minutes ahead', act: (world) => clockOff(world, FIVE_MINUTES_MS) },
  { fault: 'two processes, the clock of one five minutes behind', act: (world) => clockOff(world, -FIVE_MINUTES_MS) },
];

async function twoProcesses(world: World): Promise<void> {
  const other = await world.startService();
  const most = atATime(world);
  const together = (): Promise<unknown> => sleep(TOGETHER_MS);
  await Promise.all([world.meanwhile(together), world.meanwhile(together, other)]);
  if (most() > IN_FLIGHT) throw new Error(`${most()} deliveries were under way at a time, and ${IN_FLIGHT} may (W-9)`);
}

/** How many notifications the subscriber worked on at a time, at most. */
function atATime({ subscriber }: World): () => number {
  let [underWay, most] = [0, 0];
  subscriber.behave((_, answer) => {
    most = Math.max(most, ++underWay);
    setTimeout(() => {
      underWay -= 1;
      answer.writeHead(200).end();
    }, 2);
  });
  return () => most;
}

async function oneKilled(world: World): Promise<void> {
  const other = await world.startService();
  await Promise.all([
    world.meanwhile(async () => {
      for (let kill = 0; kill < KILLS; kill += 1) {
        await sleep(TOGETHER_MS / KILLS);
        await world.service.kill();
        await world.service.start();
      }
    }),
    world.meanwhile(() => sleep(TOGETHER_MS), other),
  ]);
}

async function clockOff(world: World, byMs: number): Promise<void> {
  const other = await world.startService(shiftedClock(byMs));
  const offMs = other.clockOffMs;
  if (Math.abs(offMs - byMs) > TOLERANCE_MS) throw new Error(`the clock is off by ${offMs} ms, not by ${byMs}`);
  const refused = new Map<string, number>();
  const faults: string[] = [];
  world.subscriber.behave((request, answer, socket) => {
    const sentMs = Number(request.headers['webhook-timestamp']) * 1_000;
    if (Math.abs(sentMs - Date.now()) > TOLERANCE_MS) faults.push(`a notification says that it was sent at ${sentMs}`);
    const { deliveryId } = notificationOf(request.body);
    const before = refused.get(deliveryId);
    if (before !== undefined && request.atMs - before < 1_000) faults.push('one came earlier than Retry-After');
    // Every tenth is refused once.
    const isRefused = before === undefined && deliveryId.startsWith('a');
    if (isRefused) refused.set(deliveryId, request.atMs);
    answers(isRefused ? 503 : 200, isRefused ? { 'retry-after': '1' } : {})(request, answer, socket);
  });
  await Promise.all([world.meanwhile(() => sleep(TOGETHER_MS)), world.meanwhile(() => sleep(TOGETHER_MS), other)]);
  await eventually('all are delivered', () => world.ledger.tally().lost === 0);
  if (refused.size === 0) throw new Error('none was refused');
  if (faults.length > 0) throw new Error(faults.slice(0, 5).join('; '));
}
