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

/** Which records to make. */
export interface DemoRecordsOptions {
  /** A safe integer: the same seed gives the same country, whose places `demoPlaces` gives. */
  readonly seed: number;
  /** How many records. */
  readonly count: number;
  /** The first of them; 0 when absent. Records `from`…`from + count - 1` do not depend on how many are asked for. */
  readonly from?: number;
  /** The last day of the ten years that the records lie in: nothing in them is later. */
  readonly until: CalendarDate;
}

/**
 * The records of the demonstration country, as import lines: births, deaths and marriages, most with their whole
 * history, the others as plain records. The same options give the same lines on every machine, in constant memory.
 * Fails with a RangeError past record 36^6, where there are no tracking ids left.
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
