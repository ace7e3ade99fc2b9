import { setTimeout as sleep } from 'node:timers/promises';

/** Waits no longer than this for work that cannot be cancelled; its late result is nobody's. */
export async function withinDeadline<T>(ms: number, what: string, work: Promise<T>): Promise<T> {
  const over = new AbortController();
  const late = sleep(ms, undefined, { signal: over.signal }).then(() => {
    throw new Error(`${what} took longer than ${ms} ms`);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    over.abort();
    late.catch(() => undefined);
    work.catch(() => undefined);
  }
}
