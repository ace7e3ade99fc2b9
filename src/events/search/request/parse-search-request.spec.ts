import fc from 'fast-check';

import { aSearchRequest, aSearchRequestBody } from '../../../../test/support/arbitrary-request.js';
import { toSearchBody } from '../../../../test/support/search-body.js';
import { MIB } from '../../../kernel/domain/bytes.js';
import { ServiceError } from '../../../kernel/errors/service-error.js';
import type { ReadCursor } from './cursors.js';
import { parseSearchRequest } from './parse-search-request.js';

const bounds = { maxLimit: 10_000 };

/** The issues of a refused body; a body that is accepted, or any other error, fails the test. */
function issuesOf(body: unknown, most: Parameters<typeof parseSearchRequest>[1] = bounds): readonly string[] {
  try {
    parseSearchRequest(body, most);
  } catch (error) {
    if (error instanceof ServiceError && error.code === 'BAD_REQUEST')
      return error.issues.map(({ message }) => message);
    throw error;
  }
  throw new Error('the body was accepted');
}

const search = (clause: unknown) => ({ query: { clauses: [clause] } });
const times = <T>(count: number, item: T): T[] => Array.from({ length: count }, () => item);
const nested = (levels: number, inside: unknown, wrap: (inner: unknown) => unknown): unknown =>
  times(levels, null).reduce<unknown>((inner) => wrap(inner), inside);

describe('a search request', () => {
  it('is refused with a sort key on a field whose values have no order, and read with a member of it (S-12)', () => {
    const known = { ...bounds, unorderedFields: new Set(['child.address']) };
    const sorted = (field: string) => ({ ...search({ flags: {} }), sort: [{ field }] });
    const refused = [
      'sort[0].field: holds values without an order: name a field with one, or a member, `declaration.<field id>.<member>`',
    ];
    for (const field of ['declaration.child.address', 'declaration.child____address']) {
      expect(issuesOf(sorted(field), known)).toEqual(refused);
      expect(parseSearchRequest(sorted(field), bounds).sort).toHaveLength(1);
    }
    expect(parseSearchRequest(sorted('declaration.child.address.country'), known).sort).toEqual([
      { field: { on: 'declaration', fieldId: 'child.address.country' }, direction: 'asc' },
    ]);
  });

  it('comes back from its own JSON as it was', () => {
    fc.assert(
      fc.property(aSearchRequest(), (request) => {
        const body: unknown = JSON.parse(JSON.stringify(toSearchBody(request)));
        expect(parseSearchRequest(body, bounds)).toEqual(request);
      }),
      { numRuns: 1_000 },
    );
  });

  it('is refused with issues, and fails in no other way, when any value in it is replaced', () => {
    fc.assert(
      fc.property(aSearchRequestBody(), fc.nat(), fc.jsonValue({ maxDepth: 3 }), (body, at, value) => {
        const text = JSON.stringify(withValueReplaced(body, at, value));
        let outcome: unknown;
        try {
          outcome = parseSearchRequest(JSON.parse(text), bounds);
        } catch (error) {
          outcome = error;
        }
        if (!(outcome instanceof Error)) return;
        expect(outcome).toBeInstanceOf(ServiceError);
        expect(outcome).toHaveProperty('code', 'BAD_REQUEST');
        expect(outcome).not.toHaveProperty('issues', []);
      }),
      { numRuns: 1_000 },
    );
  });

  it('is refused under the path of any key that is put into an object whose keys are fixed', () => {
    fc.assert(
      fc.property(aSearchRequestBody(), (body) => {
        const text = JSON.stringify(body).replaceAll('"clauses":', '"__proto__":{"limit":5},"clauses":');
        expect(issuesOf(JSON.parse(text))[0]).toBe('query.__proto__: unknown key; known keys are `type`, `clauses`');
      }),
    );
  });
});

/** The body with one of its values, counted depth first, replaced. */
function withValueReplaced(body: unknown, at: number, value: unknown): unknown {
  const places = countValues(body);
  let left = at % places;
  const walk = (node: unknown): unknown => {
    if (left-- === 0) return value;
    if (Array.isArray(node)) return node.map(walk);
    if (typeof node !== 'object' || node === null) return node;
    return Object.fromEntries(Object.entries(node).map(([key, member]) => [key, walk(member)]));
  };
  return walk(body);
}

const countValues = (node: unknown): number =>
  typeof node === 'object' && node !== null
    ? Object.values(node).reduce((sum: number, member) => sum + countValues(member), 1)
    : 1;

describe('the bounds of a search request (S-4)', () => {
  const expression = { eventType: 'birth' };
  const exact = { type: 'exact', term: 'x' };

  it.each<[string, unknown, unknown, string]>([
    [
      '16 levels of queries',
      { query: nested(16, expression, (inner) => ({ clauses: [inner] })) },
      { query: nested(17, expression, (inner) => ({ clauses: [inner] })) },
      `query${'.clauses[0]'.repeat(16)}: queries must be at most 16 levels deep, \`query\` being the first`,
    ],
    [
      '500 clauses in all',
      { query: { clauses: [{ clauses: times(250, expression) }, { clauses: times(248, expression) }] } },
      { query: { clauses: [{ clauses: times(250, expression) }, { clauses: times(249, expression) }] } },
      'query: must hold at most 500 clauses in all, those of nested queries included',
    ],
    [
      '1000 terms in a list',
      search({ 'legalStatuses.DECLARED.createdByRole': { type: 'anyOf', terms: times(1_000, 'R') } }),
      search({ 'legalStatuses.DECLARED.createdByRole': { type: 'anyOf', terms: times(1_001, 'R') } }),
      'query.clauses[0]["legalStatuses.DECLARED.createdByRole"].terms: must hold at most 1000 strings',
    ],
    [
      '1000 statuses',
      search({ status: { type: 'anyOf', terms: times(1_000, 'DECLARED') } }),
      search({ status: { type: 'anyOf', terms: times(1_001, 'DECLARED') } }),
      'query.clauses[0].status.terms: must hold at most 1000 statuses',
    ],
    [
      '1000 flags in a list',
      search({ flags: { noneOf: times(1_000, 'sealed') } }),
      search({ flags: { noneOf: times(1_001, 'sealed') } }),
      'query.clauses[0].flags.noneOf: must hold at most 1000 flags',
    ],
    [
      '1000 terms of a field',
      search({ data: { 'child.name': { type: 'anyOf', terms: times(1_000, 'x') } } }),
      search({ data: { 'child.name': { type: 'anyOf', terms: times(1_001, 'x') } } }),
      'query.clauses[0].data["child.name"].terms: must hold at most 1000 strings',
    ],
    [
      '256 code points in a fuzzy term',
      search({ data: { type: 'fuzzy', term: '😀'.repeat(256) } }),
      search({ data: { type: 'fuzzy', term: '😀'.repeat(257) } }),
      'query.clauses[0].data.term: must have at most 256 code points in a fuzzy condition',
    ],
    [
      '16 levels of maps in data',
      search({ data: nested(16, exact, (inner) => ({ a: inner })) }),
      search({ data: nested(17, exact, (inner) => ({ a: inner })) }),
      `query.clauses[0].data${'.a'.repeat(16)}: maps in \`data\` must be at most 16 levels deep, \`data\` being the first`,
    ],
    [
      '2000 fields in data in all',
      search({ data: Object.fromEntries(times(2_000, exact).map((value, at) => [`f${at}`, value])) }),
      search({ data: Object.fromEntries(times(2_001, exact).map((value, at) => [`f${at}`, value])) }),
      'query: must name at most 2000 fields in `data` in all',
    ],
    [
      '256 code points in a field id',
      search({ data: { ['a'.repeat(256)]: exact } }),
      search({ data: { ['a'.repeat(257)]: exact } }),
      `query.clauses[0].data.${'a'.repeat(257)}: a field id must have at most 256 code points`,
    ],
    [
      '256 code points in a field id to sort by',
      { ...search(expression), sort: [{ field: `declaration.${'😀'.repeat(256)}` }] },
      { ...search(expression), sort: [{ field: `declaration.${'😀'.repeat(257)}` }] },
      'sort[0].field: a field id must have at most 256 code points',
    ],
    [
      '20 sort keys',
      { ...search(expression), sort: times(20, { field: 'createdAt' }) },
      { ...search(expression), sort: times(21, { field: 'createdAt' }) },
      'sort: must hold at most 20 sort keys',
    ],
    [
      'the greatest offset',
      { ...search(expression), offset: Number.MAX_SAFE_INTEGER },
      { ...search(expression), offset: Number.MAX_SAFE_INTEGER + 1 },
      'offset: must be a whole number from 0 to 9007199254740991',
    ],
  ])('%s are accepted, and one more is refused', (_, atTheBound, pastIt, issue) => {
    expect(() => parseSearchRequest(atTheBound, bounds)).not.toThrow();
    expect(issuesOf(pastIt)).toEqual([issue]);
  });

  it('count what has faults of its own, and leave what is past them unread', () => {
    expect(issuesOf({ query: { clauses: [7, ...times(500, expression), 7] } })).toEqual([
      'query.clauses[0]: must be an object: conditions, or a nested query with `clauses`',
      'query: must hold at most 500 clauses in all, those of nested queries included',
    ]);
    expect(issuesOf(search({ flags: { anyOf: [7, ...times(1_000, 'sealed'), 7] } }))).toEqual([
      'query.clauses[0].flags.anyOf: must hold at most 1000 flags',
      'query.clauses[0].flags.anyOf[0]: must be a string',
    ]);
  });

  it('are the configured one for limit, which is also the default when it is less than 100', () => {
    expect(parseSearchRequest(search(expression), { maxLimit: 50 }).limit).toBe(50);
    expect(issuesOf({ ...search(expression), limit: 51 }, { maxLimit: 50 })).toEqual([
      'limit: must be a whole number from 0 to 50',
    ]);
  });
});

describe('a hostile search request', () => {
  it('is answered with 100 issues and the number of the rest', () => {
    const issues = issuesOf({ query: { clauses: times(250, {}) } });
    expect(issues).toHaveLength(101);
    expect(issues[99]).toMatch(/^query\.clauses\[99\]: must name at least one condition/);
    expect(issues[100]).toBe('body: has 150 more faults than are listed');
  });

  it('does not have its long keys repeated whole', () => {
    const issues = issuesOf({ ['k'.repeat(500_000)]: 1, query: { clauses: [{ eventType: 'birth' }] } });
    expect(issues).toEqual([
      `["${'k'.repeat(300)}…"]: unknown key; known keys are \`query\`, \`limit\`, \`offset\`, \`sort\`, \`cursor\``,
    ]);
  });

  const size = MIB;
  const fill = (piece: (at: number) => string): string =>
    Array.from({ length: Math.floor(size / piece(100_000).length) }, (_, at) => piece(at)).join(',');

  it.each([
    ['queries as deep as the body is long', `{"query":${'{"clauses":['.repeat(70_000)}{}${']}'.repeat(70_000)}}`],
    [
      'maps as deep as the body is long',
      `{"query":{"clauses":[{"data":${'{"a":'.repeat(150_000)}{}${'}'.repeat(150_000)}}]}}`,
    ],
    ['unknown keys alone', `{"query":{"clauses":[{${fill((at) => `"statu${at}":1`)}}]}}`],
    ['empty clauses alone', `{"query":{"clauses":[${fill(() => '{}')}]}}`],
    ['clauses that are numbers', `{"query":{"clauses":[${fill(() => '1')}]}}`],
    ['terms that are numbers', `{"query":{"clauses":[{"status":{"type":"anyOf","terms":[${fill(() => '1')}]}}]}}`],
    ['fields alone', `{"query":{"clauses":[{"data":{${fill((at) => `"f${at}":{"type":"exact","term":""}`)}}}]}}`],
    ['one key', `{"${'k'.repeat(size)}":1}`],
    ['one fuzzy term', `{"query":{"clauses":[{"data":{"type":"fuzzy","term":"${'é'.repeat(size / 2)}"}}]}}`],
    ['one field to sort by', `{"query":{"clauses":[{}]},"sort":[{"field":"declaration.${'_'.repeat(size)}"}]}`],
  ])('of %s is refused with little work', (_, json) => {
    const body: unknown = JSON.parse(json);
    const startMs = performance.now();
    const issues = issuesOf(body);
    // Milliseconds in fact: quadratic time would take minutes.
    expect(performance.now() - startMs).toBeLessThan(20_000);
    expect(issues.length).toBeLessThanOrEqual(101);
    expect(issues.join('').length).toBeLessThan(100_000);
  });
});

describe('a cursor', () => {
  const query = { clauses: [{ eventType: 'birth' }] };
  const readCursor = (cursor: string, ...walk: unknown[]): ReadCursor =>
    cursor === 'ours'
      ? { kind: 'position', after: [JSON.stringify(walk)] }
      : { kind: 'refused', reason: 'is not ours' };
  const taking = { ...bounds, readCursor };
  const parsed = { query: { kind: 'and', clauses: [{ kind: 'expression' }] }, limit: 100, offset: 0, sort: [] };

  it('is read together with the sort', () => {
    expect(parseSearchRequest({ query, cursor: 'ours' }, taking)).toMatchObject({
      ...parsed,
      after: [JSON.stringify([[]])],
    });
    expect(parseSearchRequest({ query, offset: 0 }, { ...taking, urlCursor: 'ours' })).toMatchObject({
      ...parsed,
      after: [JSON.stringify([[]])],
    });
    expect(parseSearchRequest({ query, cursor: 'ours' }, { ...taking, urlCursor: 'ours' })).toHaveProperty('after');
  });

  it('is none when it is null or absent', () => {
    for (const body of [{ query }, { query, cursor: null }]) {
      expect(parseSearchRequest(body, taking)).not.toHaveProperty('after');
    }
  });

  it.each<[string, object, unknown, readonly string[]]>([
    ['is not ours', { cursor: 'none' }, undefined, ['cursor: is not ours']],
    ['is empty', { cursor: '' }, undefined, ['cursor: is not ours']],
    ['is not ours, in the URL', {}, 'none', ['cursor: is not ours']],
    ['stands in the URL twice', {}, ['ours', 'ours'], ['cursor: is given more than once in the URL']],
    ['stands there twice as well', { cursor: 'ours' }, ['ours'], ['cursor: is given more than once in the URL']],
    ['is another one in the URL', { cursor: 'ours' }, 'other', ['cursor: must be the one that stands in the URL']],
    ['is no text', { cursor: {} }, undefined, ['cursor: must be a string']],
    [
      'stands beside an offset',
      { cursor: 'ours', offset: 1 },
      undefined,
      ['offset: must be 0 or absent beside a cursor, which takes its place'],
    ],
    [
      'stands among other faults',
      { cursor: 'none', offset: -1 },
      undefined,
      [`offset: must be a whole number from 0 to ${Number.MAX_SAFE_INTEGER}`],
    ],
  ])('is refused when it %s', (_, members, urlCursor, issues) => {
    expect(issuesOf({ query, ...members }, { ...taking, urlCursor })).toEqual(issues);
  });
});
