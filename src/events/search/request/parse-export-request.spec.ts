import { ServiceError } from '../../../kernel/errors/service-error.js';
import { parseExportRequest } from './parse-search-request.js';

const query = { clauses: [{ eventType: 'birth' }] };
const parsed = {
  query: {
    kind: 'and',
    clauses: [{ kind: 'expression', conditions: [{ on: 'text', field: 'eventType', terms: ['birth'] }] }],
  },
  sort: [],
};

describe('the request of a stream', () => {
  it('asks for every match unless it says how many', () => {
    expect(parseExportRequest({ query })).toEqual(parsed);
    expect(parseExportRequest({ query, limit: 1_000_000, offset: 0, cursor: null })).toEqual({
      ...parsed,
      limit: 1_000_000,
    });
    expect(parseExportRequest({ query, sort: [{ field: 'id' }] })).toEqual({
      ...parsed,
      sort: [{ field: { on: 'record', name: 'id' }, direction: 'asc' }],
    });
  });

  it.each<[unknown, readonly string[]]>([
    [{ query, offset: 1 }, ['offset: must be 0 or absent: a stream begins with the first match']],
    [{ query, cursor: 'x' }, ['cursor: must be null or absent: a stream has no pages']],
    [
      { query, limit: null, page: 1 },
      [
        'page: unknown key; known keys are `query`, `limit`, `offset`, `sort`, `cursor`',
        `limit: must be a whole number from 0 to ${Number.MAX_SAFE_INTEGER}`,
      ],
    ],
    [[], ['body: must be an object with `query`']],
  ])('refuses %j', (body, issues) => {
    let thrown: unknown;
    try {
      parseExportRequest(body);
    } catch (error) {
      thrown = error;
    }
    expect(thrown).toBeInstanceOf(ServiceError);
    expect(thrown).toMatchObject({ issues: issues.map((message) => ({ message })) });
  });
});
