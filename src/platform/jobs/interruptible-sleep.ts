import { setTimeout as sleep } from 'node:timers/promises';

/** Resolves after `ms` milliseconds or on abort. Keeps no process alive. */
export const interruptibleSleep = (ms: number, signal: AbortSignal): Promise<void> =>
  sleep(ms, undefined, { ref: false, signal }).catch(() => undefined);
