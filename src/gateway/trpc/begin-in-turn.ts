import { TimeSlice } from '../../platform/queue/time-slice.js';

/**
 * The outcomes of calls that go on side by side, but are begun one after the other, with turns for others in between:
 * the beginning of each reads its input, at once.
 */
export async function beginInTurn<C, O>(calls: readonly C[], begin: (call: C) => Promise<O>): Promise<readonly O[]> {
  const slice = new TimeSlice();
  const begun: Promise<O>[] = [];
  for (const call of calls) {
    const outcome = begin(call);
    // One that fails before all are begun must reach whoever waits for all, rather than be unhandled.
    outcome.catch(() => undefined);
    begun.push(outcome);
    if (slice.isOver) await slice.next();
  }
  return Promise.all(begun);
}
