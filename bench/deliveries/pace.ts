import { setTimeout as sleep } from 'node:timers/promises';

/** Begins `work` so often a second, whether or not what began before has ended; yields how often. */
export async function atPace(
  { perSecond, seconds }: { readonly perSecond: number; readonly seconds: number },
  work: (at: number) => Promise<void>,
): Promise<number> {
  const count = Math.round(perSecond * seconds);
  const beganMs = performance.now();
  const begun: Promise<void>[] = [];
  for (let at = 0; at < count; at += 1) {
    const waitMs = beganMs + (at * 1_000) / perSecond - performance.now();
    if (waitMs > 1) await sleep(waitMs);
    begun.push(work(at));
  }
  await Promise.all(begun);
  return count;
}
