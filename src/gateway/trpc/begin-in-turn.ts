import { TimeSlice } from '../../platform/queue/time-slice.js';

/** Runs calls concurrently, but begins them one by one: each start reads its input synchronously. */
export async function beginInTurn<C, O>(calls: readonly C[], begin: (call: C) => Promise<O>): Promise<readonly O[]> {
  const slice = new TimeSlice();
  const begun: Promise<O>[] = [];
  for (const call of calls) {
    const outcome = begin(call);
    // An early failure reaches the waiter of all, and is not unhandled.
    outcome.catch(() => undefined);
    begun.push(outcome);
    if (slice.isOver) await slice.next();
  }
  return Promise.all(begun);
}
