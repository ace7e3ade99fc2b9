import { setImmediate as turn, setTimeout as sleep } from 'node:timers/promises';

/**
 * Limits the wait for work that cannot be cancelled; late results are ignored, except those that arrived while
 * the process was busy.
 *
 * @throws {Error} that names `what`, or the work's own error.
 */
export async function withinDeadline<T>(ms: number, what: string, work: Promise<T>): Promise<T> {
  const over = new AbortController();
  const tooLate = late(ms, over.signal).then(() => {
    throw new Error(`${what} did not answer within ${ms} ms`);
  });
  try {
    return await Promise.race([work, tooLate]);
  } finally {
    over.abort();
    tooLate.catch(() => undefined);
    work.catch(() => undefined);
  }
}

/** Resolves after `ms`, once all arrivals until then were read. Rejects on abort. */
async function late(ms: number, signal: AbortSignal): Promise<void> {
  await sleep(ms, undefined, { signal });
  await turn(undefined, { signal });
}

/** At shutdown: keeps no process alive. Throws what the work throws within `ms`. */
export async function waitAtMost(ms: number, work: Promise<unknown> | undefined): Promise<void> {
  await Promise.race([work, sleep(ms, undefined, { ref: false })]);
}
