import { setImmediate as turn, setTimeout as sleep } from 'node:timers/promises';

/**
 * Waits no longer than this for work that cannot be cancelled; its late result is nobody's. What came in time
 * while the process was busy is not late.
 *
 * @throws {Error} that names `what`, or what the work throws.
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

/** Resolves after `ms`, once everything that has arrived by then was read. Rejects when `signal` aborts. */
async function late(ms: number, signal: AbortSignal): Promise<void> {
  await sleep(ms, undefined, { signal });
  await turn(undefined, { signal });
}

/**
 * Resolves when the work has ended, or after `ms` milliseconds: for what is tidied up at the end of the process, which
 * it does not keep alive. Throws what the work throws until then.
 */
export async function waitAtMost(ms: number, work: Promise<unknown> | undefined): Promise<void> {
  await Promise.race([work, sleep(ms, undefined, { ref: false })]);
}
