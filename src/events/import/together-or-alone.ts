import { HistoriesTooLong } from '../records/stored-events.js';

/**
 * What has become of each event. `write` writes the first of those that it is given, as many as may be written together,
 * and says what has become of them, at least of one; where what is stored of them is too long to be in memory together,
 * all are written one after the other.
 */
export async function togetherOrAlone<E, O>(
  events: readonly E[],
  write: (events: readonly E[]) => Promise<readonly (readonly [E, O])[]>,
): Promise<ReadonlyMap<E, O>> {
  const outcomes = new Map<E, O>();
  for (let most = events.length; outcomes.size < events.length;) {
    const left = events.slice(outcomes.size);
    try {
      const written = await write(left.slice(0, most));
      if (written.length === 0) throw new Error('nothing has become of the first event');
      for (const [event, outcome] of written) outcomes.set(event, outcome);
      // More would hardly fit, and be read for nothing.
      most = 2 * written.length;
    } catch (error) {
      if (!(error instanceof HistoriesTooLong)) throw error;
      for (const event of left) for (const [one, outcome] of await write([event])) outcomes.set(one, outcome);
    }
  }
  return outcomes;
}
