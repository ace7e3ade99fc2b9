import { setTimeout as sleep } from 'node:timers/promises';

import { eventually } from '../../support/eventually.js';
import type { RedisServer } from '../../support/redis-server.js';
import type { Scenario } from '../scenario.js';
import type { World } from '../world.js';

/** How long a fault of Redis lasts, events coming all the while. */
const AWAY_MS = 3_000;
const FLUSHES = 10;
const BACK_MS = 60_000;
const AFTERWARDS = 20;

const BULL = ['Bull'] as const;

/** What happens to Redis while events keep coming, what becomes of it, and how it is mended. */
export const REDIS_SCENARIOS: readonly Scenario[] = [
  { fault: 'Redis flushed again and again', dispatch: BULL, act: flushed },
  {
    fault: 'Redis killed, and back empty',
    dispatch: BULL,
    act: (world) =>
      away(
        world,
        (redis) => redis.kill(),
        (redis) => redis.restart(),
      ),
  },
  {
    fault: 'Redis full (maxmemory, noeviction), and emptied',
    dispatch: BULL,
    act: (world) =>
      away(
        world,
        (redis) => redis.fill(),
        (redis) => redis.relieve(),
      ),
  },
  {
    fault: 'Redis hangs, and goes on',
    dispatch: BULL,
    act: (world) =>
      away(
        world,
        (redis) => redis.freeze(),
        (redis) => redis.thaw(),
      ),
  },
  {
    fault: 'Redis goes back to earlier states, and ends its connections, again and again',
    dispatch: BULL,
    act: setBack,
  },
  { fault: 'Redis absent at the start, and there later', dispatch: BULL, redisAtStart: false, act: absent },
];

async function flushed(world: World): Promise<void> {
  await world.meanwhile(async () => {
    for (let flush = 0; flush < FLUSHES; flush += 1) {
      await world.redis.flush();
      await sleep(AWAY_MS / FLUSHES);
    }
  });
}

async function setBack(world: World): Promise<void> {
  const { redis } = world;
  await world.meanwhile(async () => {
    let earlier = await redis.snapshot();
    for (let time = 0; time < FLUSHES; time += 1) {
      const now = await redis.snapshot();
      await sleep(AWAY_MS / FLUSHES);
      // One that is just past, and one that is older.
      await redis.goBackTo(time % 2 === 0 ? now : earlier);
      earlier = now;
    }
  });
  await worksAgain(world);
}

type Change = (redis: RedisServer) => Promise<unknown>;

async function away(world: World, breaks: Change, mends: Change): Promise<void> {
  await world.meanwhile(async () => {
    await breaks(world.redis);
    await sleep(AWAY_MS);
    await isReadyWithout(world);
    await mends(world.redis);
  });
  await worksAgain(world);
}

async function absent(world: World): Promise<void> {
  await world.meanwhile(async () => {
    await sleep(AWAY_MS);
    await isReadyWithout(world);
    await world.redis.restart();
  });
  await worksAgain(world);
}

/** Requests are served without Redis, and whoever watches is told of it. */
async function isReadyWithout({ service }: World): Promise<void> {
  // A Redis that hangs or is full is noticed by the next claim; a subscription that is being delivered to needs none.
  await eventually(
    'the service is ready, and its queue degraded',
    async () => (await service.readiness()) === '200, queue degraded',
    BACK_MS,
  );
}

/** Claims go through Redis again, and those that take them out of it are there. */
async function worksAgain(world: World): Promise<void> {
  await eventually('Redis is used again', async () => (await world.service.readiness()) === '200, queue up', BACK_MS);
  for (let event = 0; event < AFTERWARDS; event += 1) {
    await world.send(1);
    await eventually('it is delivered', () => world.ledger.tally().lost === 0, BACK_MS);
  }
}
