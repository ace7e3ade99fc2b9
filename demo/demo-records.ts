import type { CalendarDate } from '../src/kernel/domain/calendar.js';
import { demoCountry } from './country.js';
import { Decade } from './day.js';
import type { DemoDocument, DemoLine } from './demo-line.js';
import { entryOf, type World } from './entry.js';
import { writeHistory } from './history.js';
import { drawPlainRecord } from './plain-record.js';
import { Prng } from './prng.js';
import { MOST_RECORDS, recordKeysOf } from './record-keys.js';

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
export function* demoRecords({
  seed,
  count,
  from = 0,
  until,
}: DemoRecordsOptions): Generator<DemoLine, void, undefined> {
  if (from + count > MOST_RECORDS) throw new RangeError(`a seed has at most ${MOST_RECORDS} records`);
  const world: World = { seed, country: demoCountry(seed), decade: new Decade(until) };
  for (let index = from; index < from + count; index++) yield demoLine(world, index);
}

function demoLine(world: World, index: number): DemoLine {
  const { seed, decade } = world;
  const entry = entryOf(world, index);
  const keys = recordKeysOf(seed, index);
  const prng = new Prng(seed, 'history', index);
  if (prng.chance(PLAIN_RECORDS)) return drawPlainRecord(prng, entry, keys, decade.endMs);

  const { id, trackingId } = keys;
  const actions = writeHistory(prng, entry, keys, decade.endMs);
  const [first] = actions;
  const last = actions.at(-1);
  if (first === undefined || last === undefined) throw new RangeError('an event begins with an action');
  const document: DemoDocument = {
    id,
    type: entry.vital.type,
    trackingId,
    createdAt: first.createdAt,
    updatedAt: last.createdAt,
    actions,
  };
  return document;
}
