import { parseSearchRequest } from './request/parse-search-request.js';
import { weightOf, weightOfWidth, widthOf } from './search-admission.js';

const widthOfClauses = (...clauses: readonly unknown[]): number =>
  widthOf(parseSearchRequest({ query: { type: 'or', clauses } }, { maxLimit: 0, timezone: 'UTC' }).query);

const texts = (count: number) => Array.from({ length: count }, (_, at) => `text ${at}`);
const PLAN = { kind: 'single-statement', matches: 10, documents: 10, sortsMany: false } as const;

describe('the weight of a search', () => {
  it.each<[string, readonly unknown[]]>([
    ['a tracking id', [{ trackingId: { type: 'exact', term: 'ABC123' } }]],
    ['a name', [{ data: { 'child.name': { type: 'fuzzy', term: 'Musonda Chanda Banda' } } }]],
    ['a name on any field', [{ data: { type: 'fuzzy', term: 'Musonda Chanda Banda' } }]],
    [
      'names, numbers and e-mail addresses, as a search box asks for them',
      ['child', 'mother', 'father', 'informant', 'deceased'].flatMap((who) =>
        ['name', 'nid', 'email'].map((what) => ({ data: { [`${who}.${what}`]: { type: 'fuzzy', term: 'Grace' } } })),
      ),
    ],
    ['a hundred numbers of documents', [{ data: { 'child.nid': { type: 'anyOf', terms: texts(100) } } }]],
  ])('is light where little is asked for and found: %s', (_, clauses) => {
    expect(weightOfWidth(widthOfClauses(...clauses))).toBe('light');
    expect(weightOf(widthOfClauses(...clauses), PLAN)).toBe('light');
  });

  it.each<[string, readonly unknown[]]>([
    ['ten terms on any field', [{ data: { type: 'anyOf', terms: texts(10) } }]],
    ['a thousand terms', [{ data: { 'child.name': { type: 'anyOf', terms: texts(1_000) } } }]],
    ['twenty fuzzy conditions', texts(20).map((term) => ({ data: { type: 'fuzzy', term: `${term} and another` } }))],
  ])('is heavy by width alone, however few records there are: %s', (_, clauses) => {
    const width = widthOfClauses(...clauses);
    expect([weightOfWidth(width), weightOf(width, PLAN)]).toEqual(['heavy', 'heavy']);
  });

  it('is heavy by what is found', () => {
    expect(weightOf(1, { ...PLAN, documents: 5_000 })).toBe('heavy');
    expect(weightOf(1, { ...PLAN, sortsMany: true })).toBe('heavy');
    expect(weightOf(1, { ...PLAN, kind: 'two-phase', matches: 1_000_000 })).toBe('light');
  });

  it('is heavy by both together', () => {
    expect(weightOf(1, { ...PLAN, documents: 2_000 })).toBe('light');
    expect(weightOf(200, { ...PLAN, documents: 2_000 })).toBe('heavy');
  });
});
