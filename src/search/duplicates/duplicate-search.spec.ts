import { aRecord } from '../../../test/support/builders/a-record.js';
import type { EventRecord } from '../../domain/record/event-record.js';
import { duplicatesAmong } from './duplicate-search.js';

describe('the duplicates among candidates', () => {
  it('are the first ten, and what comes after them is not even read', () => {
    const [record, ...others] = Array.from({ length: 30 }, () => aRecord()) as [EventRecord, ...EventRecord[]];
    const archived = aRecord({ status: 'ARCHIVED' });
    const read: string[] = [];
    function* candidates(): Generator<EventRecord> {
      for (const candidate of [record, archived, ...others]) {
        read.push(candidate.id);
        yield candidate;
      }
    }
    const steps = duplicatesAmong(candidates(), { type: 'strict', field: 'child.name' }, record);
    let step = steps.next();
    let count = 0;
    for (; step.done !== true; step = steps.next()) count += 1;
    const listed = others.slice(0, 10).map(({ id, trackingId }) => ({ id, trackingId }));
    expect([step.value, read.length, count]).toEqual([listed, 12, 11]);
  });
});
