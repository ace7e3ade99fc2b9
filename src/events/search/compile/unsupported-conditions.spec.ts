import { parseSearchRequest } from '../request/parse-search-request.js';
import { unsupportedConditions } from './unsupported-conditions.js';

const messages = (query: object): readonly string[] =>
  unsupportedConditions(parseSearchRequest({ query }, { maxLimit: 100 })).map(({ message }) => message);

describe('unsupportedConditions', () => {
  it('names each fuzzy condition by its path in the request', () => {
    const fuzzy = { type: 'fuzzy', term: 'Musonda' };
    const exact = { type: 'exact', term: 'x' };
    const query = {
      clauses: [
        { eventType: 'birth', data: { 'child.name': fuzzy, other: exact } },
        { type: 'or', clauses: [{ data: fuzzy }, { data: { group: { inner: { name: fuzzy, a: exact } } } }] },
      ],
    };
    expect(messages(query)).toEqual([
      'query.clauses[0].data["child.name"]: fuzzy conditions are not served yet',
      'query.clauses[1].clauses[0].data: fuzzy conditions are not served yet',
      'query.clauses[1].clauses[1].data.group.inner.name: fuzzy conditions are not served yet',
    ]);
  });

  it('names nothing else', () => {
    const within = { type: 'within', location: 'a' };
    const query = { clauses: [{ flags: {}, data: { a: within, b: { c: { type: 'range', gte: '1', lte: '2' } } } }] };
    expect(messages(query)).toEqual([]);
  });
});
