import { HistoriesTooLong } from '../../records/stored-events.js';

/**
 * What has become of each event: all are written together or, where what is stored of them is too long to be in memory
 * together, one after the other.
 */
export async function togetherOrAlone<E, O>(
  events: readonly E[],
  write: (events: readonly E[]) => Promise<readonly (readonly [E, O])[]>,
): Promise<ReadonlyMap<E, O>> {
  try {
    return new Map(await write(events));
  } catch (error) {
    if (!(error instanceof HistoriesTooLong)) throw error;
  }
  const outcomes = new Map<E, O>();
  for (const event of events) for (const [one, outcome] of await write([event])) outcomes.set(one, outcome);
  return outcomes;
}
