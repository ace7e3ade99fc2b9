import { setTimeout as sleep } from 'node:timers/promises';

import { eventually } from '../../support/eventually.js';
import { startScriptedSubscriber } from '../../support/scripted-subscriber.js';
import { importEvents } from '../bulk.js';
import type { Scenario } from '../scenario.js';
import type { World } from '../world.js';

const EVENTS = 10_000;
const WAITING = 500;
/** What the subscriber takes for each, so that the backlog lasts for longer than it is looked at. */
const EACH_MS = 100;
/** What was sent before the answer may still be on its way to the subscriber. */
const ON_ITS_WAY_MS = 100;
const OTHERS_MS = 2_000;
const LOOK_MS = 3_000;

/** Far more than is ever read at a time waits for a subscriber that is down. */
export const BACKLOG_SCENARIOS: readonly Scenario[] = [
  {
    fault: '10,000 events while the subscriber is down',
    alone: true,
    // Further apart than elsewhere: ten thousand attempts a second would leave time for nothing else.
    environment: { WEBHOOK_RETRY_SECONDS: `5,${Array(60).fill('30').join(',')}` },
    act: backlog,
  },
  { fault: 'a subscription is ended while its backlog is delivered', act: (world) => ended(world, ON_ITS_WAY_MS) },
  {
    fault: 'a subscription is ended by one process while another one may deliver its backlog',
    act: async (world) => {
      await world.startService();
      await ended(world, OTHERS_MS);
    },
  },
];

/** Nothing is begun any more once so much time has passed after the 204 (W-3). */
async function ended(world: World, afterMs: number): Promise<void> {
  const subscriber = await startScriptedSubscriber();
  try {
    subscriber.behave((_, answer) => {
      setTimeout(() => answer.writeHead(200).end(), EACH_MS);
    });
    const subscribed = await world.subscribe([subscriber.url('/ended')]);
    await importEvents(world, WAITING);
    await eventually('it is delivered to', () => subscriber.notifications.length > 0);
    await world.unsubscribe(subscribed);
    await sleep(afterMs);
    const begun = subscriber.notifications.length;
    await sleep(LOOK_MS);
    const more = subscriber.notifications.length - begun;
    if (more > 0) throw new Error(`${more} notifications were begun later than ${afterMs} ms after the 204`);
    if (begun >= WAITING) throw new Error('nothing was waiting any more');
  } finally {
    await subscriber.close();
  }
  await world.forget('%/ended');
}

async function backlog(world: World): Promise<void> {
  await world.subscriber.down();
  await importEvents(world, EVENTS);
  await world.subscriber.up();
}
