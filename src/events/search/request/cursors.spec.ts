import fc from 'fast-check';
import type { SortKey } from '../../../kernel/domain/search-request.js';
import { Cursors, type Walk } from './cursors.js';

const cursors = new Cursors(Buffer.alloc(32, 1));
const BY_ID: SortKey = { field: { on: 'record', name: 'id' }, direction: 'asc' };
const walk: Walk = { query: { type: 'and', clauses: [{ eventType: 'birth' }] }, sort: [BY_ID], caller: 'a client' };
const values = ['2024-02-29T12:30:15.123456+00:00', null, 'ሰላም'];

describe('a cursor', () => {
  it('leads to where it was written', () => {
    fc.assert(
      fc.property(
        fc.json(),
        fc.string(),
        fc.array(fc.option(fc.string({ unit: 'binary' }))),
        (query, caller, after) => {
          const some = { query: JSON.parse(query) as unknown, sort: [], caller };
          const cursor = cursors.write(some, after);
          expect(cursors.read(cursor ?? '', some)).toEqual({ kind: 'position', after });
        },
      ),
    );
  });

  it('is the same text for the same place', () => {
    expect(cursors.write(walk, values)).toBe(
      'RPJLRXjMw8OIk1IVT7fiYPZqU05-ZqcRJ7mI0Njy4MVvZyyh3b98JZSbNlJSro8MvcaA5opkXcqoDMTZujs7MbpTeJ36uo4LA-CHh4TFPqcDpsYkoJj6epn0dcff-Gpb',
    );
  });

  it('does not look at the order of keys', () => {
    const other = { ...walk, query: { clauses: [{ eventType: 'birth' }], type: 'and' } };
    expect(cursors.read(cursors.write(walk, values) ?? '', other)).toEqual({ kind: 'position', after: values });
  });

  it.each<[string, Partial<Walk>]>([
    ['query', { query: { type: 'and', clauses: [{ eventType: 'death' }] } }],
    ['order of clauses', { query: { type: 'and', clauses: [{ eventType: 'birth' }, { eventType: 'birth' }] } }],
    ['direction', { sort: [{ ...BY_ID, direction: 'desc' }] }],
    ['sort', { sort: [] }],
    ['client', { caller: 'another client' }],
  ])('is refused with another %s', (_, other) => {
    expect(cursors.read(cursors.write(walk, values) ?? '', { ...walk, ...other })).toEqual({
      kind: 'refused',
      reason: 'belongs to another query, sort or client',
    });
  });

  it.each(['', 'abc', Buffer.from('["x",[]]').toString('base64url')])('is refused when it is none: %j', (text) => {
    expect(cursors.read(text, walk)).toEqual({
      kind: 'refused',
      reason: 'must be one that an answer of this service gave, unchanged',
    });
  });

  it('is not written for values that fit into no header', () => {
    expect(cursors.write(walk, ['x'.repeat(6_000)])).toBeDefined();
    expect(cursors.write(walk, ['x'.repeat(7_000)])).toBeUndefined();
  });
});
