import { readEventTypes } from './read-event-configuration.js';

const SAME = { type: 'strict', field: 'name', with: 'alias' };

const faultsOf = (duplicates: object): readonly string[] => {
  const fields = ['name', 'alias'].map((id) => ({ id, kind: 'TEXT' }));
  const read = readEventTypes(JSON.stringify({ events: [{ id: 'adoption', fields, duplicates }] }));
  return read.kind === 'faulty' ? read.issues.map(({ message }) => message) : [];
};

describe('a rule for duplicates', () => {
  const anyOf = (count: number): object => ({ type: 'or', clauses: Array.from({ length: count }, () => SAME) });

  it('has at most 100 comparisons, at all levels together (Q-1)', () => {
    expect(faultsOf(anyOf(100))).toEqual([]);
    expect(faultsOf({ type: 'and', clauses: [{ type: 'not', clause: anyOf(50) }, anyOf(51)] })).toEqual([
      'events[0].duplicates: has 101 comparisons; at most 100 are allowed',
    ]);
  });
});
