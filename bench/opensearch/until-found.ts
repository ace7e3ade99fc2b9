import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';

import type { Draws } from '../search/query-kinds.js';
import { drawEvent, tellOf } from '../search/written-events.js';
import type { Service } from '../service/service.js';
import type { Contender, Contenders } from './contenders.js';
import { indexOf } from './mapping.js';
import type { Times } from './kinds.js';
import { timesOf } from './kinds.js';
import type { OpenSearchServer } from './server.js';

/** Milliseconds from the answer to a write to the answer of the first search that finds it. */
export interface UntilFound {
  readonly matricula: Times;
  readonly openSearch: Times;
}

const WRITES = 20;
const PAUSE_MS = 5;
const MOST_MS = 30_000;

/** Events registered one after the other; each is looked up by its tracking id until it is there. */
export async function compareUntilFound(
  contenders: Contenders,
  service: Service,
  server: OpenSearchServer,
  draws: Draws,
): Promise<UntilFound> {
  const [ours, theirs]: [number[], number[]] = [[], []];
  for (let write = 0; write < WRITES; write++) {
    const event = drawEvent(draws);
    await tellOf(service, 'REGISTER', event);
    ours.push(await untilFound(contenders.matricula, event.trackingId));

    const { type, ...record } = draws.record();
    const key = randomUUID();
    await server.ask('PUT', `/${indexOf(type)}/_doc/${key}`, {
      ...record,
      type,
      id: key,
      trackingId: key,
      declaration: {},
    });
    theirs.push(await untilFound(contenders.openSearch, key));
  }
  return { matricula: timesOf(ours), openSearch: timesOf(theirs) };
}

async function untilFound({ search, totalOf }: Contender, trackingId: string): Promise<number> {
  const began = performance.now();
  const query = { clauses: [{ trackingId: { type: 'exact', term: trackingId } }] };
  while (performance.now() - began < MOST_MS) {
    const { body } = await search({ query });
    if (totalOf(body) === 1) return performance.now() - began;
    await sleep(PAUSE_MS);
  }
  throw new Error(`${trackingId} was not found in time`);
}
