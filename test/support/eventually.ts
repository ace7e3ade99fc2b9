import { setTimeout as sleep } from 'node:timers/promises';

import { HANG_MS } from './time-outs.js';

/** How often what is in memory is looked at. */
const LOOK_MS = 10;
/** The longest pause between two questions to a database or service: it would do little else than answer them. */
const MOST_PAUSE_MS = 80;

/**
 * Waits until `holds` yields true; fails with what it was waited for when it does not within `mostMs`. What has to be
 * asked for, and so answers with a promise, is asked less and less often.
 */
export async function eventually(
  what: string,
  holds: () => boolean | Promise<boolean>,
  mostMs = HANG_MS,
): Promise<void> {
  const until = performance.now() + mostMs;
  let pauseMs = LOOK_MS;
  for (;;) {
    const found = holds();
    if (await found) return;
    if (performance.now() > until) throw new Error(`waited ${mostMs} ms in vain: ${what}`);
    await sleep(pauseMs);
    if (typeof found !== 'boolean') pauseMs = Math.min(MOST_PAUSE_MS, 1.5 * pauseMs);
  }
}
