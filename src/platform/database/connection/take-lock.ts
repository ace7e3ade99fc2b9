import { setTimeout as sleep } from 'node:timers/promises';

/** Milliseconds that a killed process's advisory lock may outlive it. */
const KILLED_LOCK_MS = 5_000;
const AGAIN_MS = 200;

/** Retries while a killed process may still hold the lock; false if not taken. */
export async function takeLock(tryLock: () => Promise<boolean>, patienceMs = KILLED_LOCK_MS): Promise<boolean> {
  const untilMs = performance.now() + patienceMs;
  while (!(await tryLock())) {
    if (performance.now() > untilMs) return false;
    await sleep(AGAIN_MS);
  }
  return true;
}
