import { type CalendarDate, DAY_MS } from '../src/kernel/domain/calendar.js';
import type { DemoLine } from './demo-line.js';
import { writeHistory } from './history.js';
import { drawCountry } from './places.js';
import { drawPlainRecord } from './plain-record.js';
import { Prng } from './prng.js';
import { MOST_RECORDS, recordKeysOf } from './record-keys.js';
import { entryOf, type World } from './vital.js';

const PLAIN_RECORDS = 0.15;

export interface DemoRecordsOptions {
  /** A safe integer, which determines the country and `demoPlaces`. */
  readonly seed: number;
  readonly count: number;
  /** The first record, 0 by default. Records `from`…`from + count - 1` do not depend on `count`. */
  readonly from?: number;
  /** The last day of the ten years. */
  readonly until: CalendarDate;
}

/**
 * Import lines: births, deaths and marriages, most with their history. Deterministic on every machine, in
 * constant memory. Throws RangeError past record 36^6, the number of tracking ids.
 */
export function* demoRecords({ seed, count, from = 0, until }: DemoRecordsOptions): Generator<DemoLine, void> {
  if (from + count > MOST_RECORDS) throw new RangeError(`a seed has at most ${MOST_RECORDS} records`);
  const world = { seed, wards: drawCountry(seed).wards, endMs: Date.parse(until) + DAY_MS - 1 };
  for (let index = from; index < from + count; index++) yield demoLine(world, index);
}

function demoLine(world: World, index: number): DemoLine {
  const entry = entryOf(world, index);
  const keys = recordKeysOf(world.seed, index);
  const prng = new Prng(world.seed, 'history', index);
  if (prng.chance(PLAIN_RECORDS)) return drawPlainRecord(prng, entry, keys, world.endMs);
  const actions = writeHistory(prng, entry, keys, world.endMs);
  const createdAt = actions[0]?.createdAt;
  const updatedAt = actions.at(-1)?.createdAt;
  if (createdAt === undefined || updatedAt === undefined) throw new RangeError('an event begins with an action');
  return { id: keys.id, type: entry.vital.type, trackingId: keys.trackingId, createdAt, updatedAt, actions };
}
