import { setTimeout as sleep } from 'node:timers/promises';

import { HANG_MS } from './time-outs.js';

/** Waits until `holds` yields true; fails with what it was waited for when it does not within `mostMs`. */
export async function eventually(
  what: string,
  holds: () => boolean | Promise<boolean>,
  mostMs = HANG_MS,
): Promise<void> {
  const until = performance.now() + mostMs;
  while (!(await holds())) {
    if (performance.now() > until) throw new Error(`waited ${mostMs} ms in vain: ${what}`);
    await sleep(10);
  }
}
