import { setTimeout as sleep } from 'node:timers/promises';

import { eventually } from '../../support/eventually.js';
import type { Behaviour } from '../../support/scripted-subscriber.js';
import { answers, hangs, startScriptedSubscriber } from '../../support/scripted-subscriber.js';
import type { Scenario } from '../scenario.js';
import type { World } from '../world.js';

const CROWD = 500;
const EVENTS = 10;
const PACE_MS = 1_000;
/** How much longer another subscriber may wait than it does without them (W-9). */
const MOST_LATER_MS = 1_000;
const SLOW_MS = 8_000;

/** As it is without being told, so that each of them is under way for long. */
const PATIENCE = { WEBHOOK_TIMEOUT_SECONDS: '15', WEBHOOK_LEASE_SECONDS: '30' };

const slowly: Behaviour = (_, answer) => {
  setTimeout(() => answer.writeHead(200).end(), SLOW_MS);
};

/** Many subscribers are bad at the same time. Another one hardly waits for them. */
export const CROWD_SCENARIOS: readonly Scenario[] = [
  {
    fault: `${CROWD} subscribers hang`,
    alone: true,
    environment: PATIENCE,
    act: (world) => crowd(world, hangs),
  },
  {
    fault: `${CROWD} subscribers take eight seconds for each`,
    alone: true,
    environment: PATIENCE,
    act: (world) => crowd(world, slowly),
  },
];

async function crowd(world: World, behaviour: Behaviour): Promise<void> {
  const alone = Math.max(...(await waits(world)));
  const subscriber = await startScriptedSubscriber();
  try {
    await world.subscribe(Array.from({ length: CROWD }, (_, at) => subscriber.url(`/crowd/${at}`)));
    subscriber.behave(behaviour);
    // The first event finds them all unknown.
    const beside = Math.max(...(await waits(world)));
    await world.forget('%/crowd/%');
    subscriber.behave(answers(200));
    world.seen = `another subscriber waited ${Math.round(beside)} ms at most, ${Math.round(alone)} ms without them`;
    if (beside > alone + MOST_LATER_MS) throw new Error(world.seen);
  } finally {
    await subscriber.close();
  }
}

/** How long notifications took to come after their events were taken, in milliseconds. */
async function waits(world: World): Promise<readonly number[]> {
  const found: number[] = [];
  for (let at = 0; at < EVENTS; at += 1) {
    await world.send(1);
    const takenMs = performance.now();
    await eventually('it has come', () => world.ledger.tally().lost === 0, 120_000);
    found.push(performance.now() - takenMs);
    await sleep(Math.max(0, takenMs + PACE_MS - performance.now()));
  }
  return found;
}
