import { ServiceError } from '../../../kernel/errors/service-error.js';
import { parseSearchRequest } from '../request/parse-search-request.js';
import { costOf, requireAffordable } from './cost.js';

const BOUND = { most: 2_000, name: 'SEARCH_MAX_COST' };

const parsed = (clauses: readonly unknown[], type: 'and' | 'or' = 'or') =>
  parseSearchRequest({ query: { type, clauses } }, { maxLimit: 0 }).query;

const times = <T>(count: number, make: (at: number) => T): T[] => Array.from({ length: count }, (_, at) => make(at));

/** What the refusal of a query that costs too much says; nothing if it is permitted. */
function refusalOf(clauses: readonly unknown[], bound = BOUND, path?: string): unknown {
  try {
    requireAffordable(parsed(clauses), bound, path);
    return undefined;
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    const { code, refusal, issues } = error;
    return { code, refusal, issues: issues.map(({ message }) => message) };
  }
}

/** What the scopes by which records may be read add to the cost of conditions on secured fields (E-10). */
describe('a condition on a secured field', () => {
  const guard = {
    secured: new Map([['birth', { fieldIds: new Set(['child.nid']), copies: new Set<never>() }]]),
    readable: [
      { event: ['birth', 'death'], flags: { noneOf: ['sealed'] } },
      { registeredBy: { subject: 'caller', userType: 'user' as const } },
    ],
  };
  const exact = { type: 'exact', term: '1' };

  it.each<[string, unknown, number]>([
    ['costs what the scopes cost besides', { data: { 'child.nid': exact } }, 1 + 5],
    ['costs them once for all fields of an expression', { data: { 'child.nid': exact, 'child.name': exact } }, 2 + 5],
    ['may be on any field', { data: exact }, 50 + 5],
    ['does not make other fields dearer', { data: { 'child.name': exact } }, 1],
  ])('%s', (_, clause, cost) => {
    expect(costOf(parsed([clause]), 'query', guard).total).toBe(cost);
  });
});

const anyOf = (terms: readonly string[]) => ({ type: 'anyOf', terms });
const fuzzy = (term: string) => ({ type: 'fuzzy', term });
const names = (count: number) => times(count, (at) => `Name ${at}`);
const numbers = (count: number) => times(count, (at) => String(10_000_000 + at)).join(' ');
/** Forty words, as long as a fuzzy term holds. */
const FORTY = times(40, (at) => 'abcdef'.slice(0, 3 + (at % 4))).join(' ');

/** Five conditions. */
const EMPTY_LISTS = {
  status: anyOf([]),
  flags: { anyOf: [] },
  'legalStatuses.DECLARED.createdByRole': anyOf([]),
  'legalStatuses.REGISTERED.createdByRole': anyOf([]),
  data: { f: anyOf([]) },
};

describe('what is always permitted (Q-1)', () => {
  it.each<[string, readonly unknown[], readonly unknown[]]>([
    [
      '2,000 terms, the second list one short',
      [{ data: { 'child.name': anyOf(names(1_000)) } }, { data: { 'child.name': anyOf(names(999)) } }],
      [{ eventType: 'birth' }],
    ],
    [
      '2,000 terms of 63 characters',
      times(2, () => ({ data: { 'child.name': anyOf(times(1_000, () => 'x'.repeat(63))) } })),
      [],
    ],
    [
      '2,000 fields',
      [{ data: Object.fromEntries(names(2_000).map((name) => [name, { type: 'exact', term: 'x' }])) }],
      [],
    ],
    ['2,000 roles', times(2, () => ({ 'legalStatuses.DECLARED.createdByRole': anyOf(names(1_000)) })), []],
    ['four conditions of ten terms on any field', times(4, () => ({ data: anyOf(names(10)) })), []],
    ['forty words in one term', [{ data: { 'child.name': fuzzy(FORTY) } }], []],
    ['forty words inside a field', [{ data: { 'child.address': { area: fuzzy(FORTY) } } }], []],
    ['forty words in forty conditions', times(40, () => ({ data: fuzzy('abcdef') })), []],
    ['forty numbers', [{ data: fuzzy(numbers(28)) }, { data: fuzzy(numbers(12)) }], []],
  ])('%s', (_, clauses, more) => {
    expect(refusalOf([...clauses, ...more])).toBeUndefined();
  });

  it.each<[string, readonly unknown[]]>([
    ['2,001 terms', [...times(2, () => ({ data: { 'child.name': anyOf(names(1_000)) } })), { eventType: 'birth' }]],
    ['a term more on any field', [...times(4, () => ({ data: anyOf(names(10)) })), { data: anyOf(['x']) }]],
    ['a term of 64 characters more', times(2, () => ({ data: { f: anyOf([...names(999), 'x'.repeat(64)]) } }))],
    ['2,001 conditions that ask for nothing', times(401, () => EMPTY_LISTS)],
    ['five ranges of places on any field', times(5, () => ({ data: { type: 'within', location: 'x' } }))],
  ])('and not one more: %s', (_, clauses) => {
    expect(refusalOf(clauses)).toMatchObject({ code: 'BAD_REQUEST', refusal: 'search-cost' });
  });
});

describe('what costs too much', () => {
  it('is a 400 that names the costliest clause, its cost, the bound, and what would make it cheaper', () => {
    const texts = times(1_000, (at) => `text ${at}`);
    expect(
      refusalOf([{ eventType: 'birth' }, { type: 'and', clauses: [{ data: { type: 'anyOf', terms: texts } }] }]),
    ).toEqual({
      code: 'BAD_REQUEST',
      refusal: 'search-cost',
      issues: [
        'query.clauses[1].clauses[0].data: costs 50000 of 50001, and a query may cost 2000 in all (SEARCH_MAX_COST): name the fields to look in, or split it into requests of fewer terms or words',
      ],
    });
  });

  it('names a field of the declaration by its id', () => {
    const names = times(1_000, (at) => `name ${at}`);
    expect(refusalOf(times(66, () => ({ data: { 'child.name': { type: 'anyOf', terms: names } } })))).toMatchObject({
      issues: [
        'query.clauses[0].data["child.name"]: costs 1000 of 66000, and a query may cost 2000 in all (SEARCH_MAX_COST): split it into requests of fewer terms or words',
      ],
    });
  });

  it('is measured by another bound where a caller has one', () => {
    const clauses = [{ data: { 'a.b': { type: 'anyOf', terms: ['x', 'y'] } } }];
    expect(refusalOf(clauses, { most: 2, name: 'WEBHOOKS' }, 'hub.query')).toBeUndefined();
    expect(refusalOf(clauses, { most: 1, name: 'WEBHOOKS' }, 'hub.query')).toMatchObject({
      issues: [
        expect.stringMatching(/^hub\.query\.clauses\[0\]\.data\["a\.b"\]: costs 2 of 2, .* 1 in all \(WEBHOOKS\): /),
      ],
    });
  });
});

describe('costOf', () => {
  it('adds up what every condition costs, whatever is nested in what', () => {
    const map = { a: { type: 'exact', term: 'x' }, b: { c: { type: 'anyOf', terms: ['y', 'z'] } } };
    const { total } = costOf(
      parsed([{ eventType: 'birth', data: { f: map } }, { clauses: [{ flags: { anyOf: ['x', 'y'] } }] }]),
    );
    expect(total).toBe(1 + 3 + 2);
  });

  it.each([
    ['ab', 12],
    ['abcd', 12],
    ['musonda banda', 36],
  ])('counts %s as %d, for each word and run of words, in a field or inside one', (term, cost) => {
    const condition = { type: 'fuzzy', term };
    expect(costOf(parsed([{ data: { f: { a: condition } } }])).total).toBe(cost);
    expect(costOf(parsed([{ data: { f: condition } }])).total).toBe(cost);
  });

  it.each([
    [8_191, 127],
    [8_192, 128 + 1_000],
    [40_959, 639 + 16_000],
    [40_960, 640 + 25_000],
  ])('counts a text of %d characters as %d, since its words are read in one piece', (length, cost) => {
    const term = 'x '.repeat(length / 2 + 1).slice(0, length);
    expect(costOf(parsed([{ data: { f: { type: 'exact', term } } }])).total).toBe(1 + cost);
    expect(costOf(parsed([{ data: { f: { type: 'anyOf', terms: ['y', term] } } }])).total).toBe(2 + cost);
  });
});
