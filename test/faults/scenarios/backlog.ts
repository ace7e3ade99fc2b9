import type { Scenario } from '../scenario.js';
import type { World } from '../world.js';

const EVENTS = 10_000;

/** Far more than is ever read at a time waits for a subscriber that is down. */
export const BACKLOG_SCENARIOS: readonly Scenario[] = [
  {
    fault: '10,000 events while the subscriber is down',
    alone: true,
    // Further apart than elsewhere: ten thousand attempts a second would leave time for nothing else.
    environment: { WEBHOOK_RETRY_SECONDS: `5,${Array(60).fill('30').join(',')}` },
    act: backlog,
  },
];

async function backlog(world: World): Promise<void> {
  await world.subscriber.down();
  await world.import(EVENTS);
  await world.subscriber.up();
}
