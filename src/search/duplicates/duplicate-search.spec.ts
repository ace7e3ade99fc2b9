import { aRecord } from '../../../test/support/builders/a-record.js';
import type { EventRecord } from '../../domain/record/event-record.js';
import { factsOf } from '../../derived/values/facts.js';
import { testOfQuery } from '../evaluate/test-of-query.js';
import { candidatesRequest, duplicatesAmong } from './duplicate-search.js';

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

describe('the search for candidates', () => {
  it('finds none that would not be listed, however many there are before the others', () => {
    const declaration = { 'child.name': 'Ama Kofi' };
    const request = candidatesRequest({ type: 'strict', field: 'child.name' }, aRecord({ declaration }));
    const isMatch = request && testOfQuery(request.query, { timezone: 'UTC', isWithin: () => false });
    const found = (record: EventRecord): boolean | undefined =>
      isMatch?.({ record, facts: factsOf(record.declaration), notifiedBy: undefined, nowMs: 0 });
    const statuses = ['NOTIFIED', 'DECLARED', 'REGISTERED', 'REVOKED', 'ARCHIVED'] as const;
    expect(statuses.filter((status) => found(aRecord({ declaration, status })))).toEqual(statuses.slice(0, -1));
    expect(found(aRecord({ declaration, flags: ['sealed'] }))).toBe(false);
  });
});
