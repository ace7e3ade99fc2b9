import { setTimeout as sleep } from 'node:timers/promises';

import { staged } from '../scenario.js';
import { sharedStage } from '../stage.js';

const RESTARTS = 3;
const BETWEEN_MS = 1_500;

/** The service waits, and asks whoever sends events to come back; nothing that it answered with 2xx is lost. */
export const POSTGRES_SCENARIOS = (
  [
    ['PostgreSQL killed (kill -9) three times, and back', 'SIGKILL'],
    ['PostgreSQL restarted three times', 'SIGINT'],
  ] as const
).map(([fault, signal]) =>
  staged(async (postgres) => ({ ...(await sharedStage(postgres)), postgres }), {
    fault,
    alone: true,
    act: async (world, { postgres }) => {
      for (let restart = 0; restart < RESTARTS; restart += 1) {
        await world.meanwhile(() => postgres.restart(signal));
        await sleep(BETWEEN_MS);
      }
    },
  }),
);
