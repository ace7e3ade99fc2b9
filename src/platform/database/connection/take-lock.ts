import { setTimeout as sleep } from 'node:timers/promises';

/** How long the advisory lock of a killed process may outlive it, in milliseconds. */
const KILLED_LOCK_MS = 5_000;
const AGAIN_MS = 200;

/** Tries to take a lock for as long as a killed process may still have it; resolves with whether it was taken. */
export async function takeLock(tryLock: () => Promise<boolean>, patienceMs = KILLED_LOCK_MS): Promise<boolean> {
  const untilMs = performance.now() + patienceMs;
  while (!(await tryLock())) {
    if (performance.now() > untilMs) return false;
    await sleep(AGAIN_MS);
  }
  return true;
}
