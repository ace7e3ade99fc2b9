import { aRecord } from '../../../test/support/builders/a-record.js';
import type { DuplicateRule } from '../../kernel/domain/event-configuration/event-type.js';
import type { EventRecord } from '../../kernel/domain/event-record.js';
import { factsOf } from '../index/values/facts.js';
import { testOfQuery } from './evaluate/test-of-query.js';
import { candidatesRequest, duplicatesAmong } from './duplicate-search.js';

describe('the duplicates among candidates', () => {
  it('are the first ten, and what comes after them is not even read', async () => {
    const [record, ...others] = Array.from({ length: 30 }, () => aRecord()) as [EventRecord, ...EventRecord[]];
    const archived = aRecord({ status: 'ARCHIVED' });
    const bodies = [record, archived, ...others.slice(0, 10)].map((one) => JSON.stringify(one));
    const listed = await duplicatesAmong([...bodies, 'no JSON'], { type: 'strict', field: 'child.name' }, record);
    expect(listed).toEqual(others.slice(0, 10).map(({ id, trackingId }) => ({ id, trackingId })));
  });
});

describe('the search for candidates', () => {
  const request = (rule: DuplicateRule) =>
    candidatesRequest(rule, aRecord({ declaration: { name: 'Ama', number: ' ' } }));
  const name: DuplicateRule = { type: 'strict', field: 'name' };
  const none: DuplicateRule = { type: 'strict', field: 'number' };

  it('is not made for a rule that is void, nor for one that does not narrow it', () => {
    expect(request(none)).toBeUndefined();
    expect(request({ type: 'and', clauses: [name, none] })).toBeUndefined();
    expect(request({ type: 'or', clauses: [name, { type: 'not', clause: name }] })).toBeUndefined();
  });

  it('leaves a void alternative out: its candidates would take the places of others', () => {
    const both: DuplicateRule = { type: 'and', clauses: [{ type: 'dateRange', field: 'dob', days: 5 }, name] };
    expect(request({ type: 'or', clauses: [both, name] })).toEqual(request({ type: 'or', clauses: [name] }));
  });

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
