import { TimeSlice } from '../../platform/queue/time-slice.js';

/** Concurrent, but begun one by one: each start reads its input synchronously. */
export async function beginInTurn<C, O>(calls: readonly C[], begin: (call: C) => Promise<O>): Promise<readonly O[]> {
  const slice = new TimeSlice();
  const begun: Promise<O>[] = [];
  for (const call of calls) {
    const outcome = begin(call);
    // The waiter of all gets the failure.
    outcome.catch(() => undefined);
    begun.push(outcome);
    if (slice.isOver) await slice.next();
  }
  return Promise.all(begun);
}
