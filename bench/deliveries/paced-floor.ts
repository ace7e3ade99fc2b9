import { Pool } from 'undici';

import type { Spread } from '../measure/spread.js';
import { spreadOf } from '../measure/spread.js';
import { keyOfBirth } from './birth.js';
import { atPace } from './pace.js';
import { sharedNowMs } from './shared-clock.js';
import type { SubscriberProcess } from './subscriber-process.js';

const BODY_BYTES = 2_048;

/** Milliseconds until bare POSTs arrive at the subscriber, made at an even pace: what the machine allows. */
export async function pacedFloor(
  subscriber: SubscriberProcess,
  pace: { readonly perSecond: number; readonly seconds: number },
): Promise<Spread> {
  const url = new URL(subscriber.healthy(0));
  const pool = new Pool(url.origin, { connections: 5, connect: { ca: subscriber.authority } });
  await subscriber.take();
  const sentMs = new Map<string, number>();
  await atPace(pace, async (at) => {
    const key = keyOfBirth('F', at);
    sentMs.set(key, sharedNowMs());
    const body = `{"key":"${key}","rest":"`.padEnd(BODY_BYTES - 2, 'x');
    const answer = await pool.request({ path: url.pathname, method: 'POST', body: `${body}"}` });
    await answer.body.dump();
  });
  await pool.close();
  const births = Object.values(await subscriber.take())
    .flatMap((path) => path.births)
    .filter(([key]) => sentMs.has(key));
  return spreadOf(births.map(([key, atMs]) => atMs - (sentMs.get(key) ?? NaN)));
}
