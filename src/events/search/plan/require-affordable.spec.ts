import { MIB } from '../../../kernel/domain/bytes.js';
import { ServiceError } from '../../../kernel/errors/service-error.js';
import { parseSearchRequest } from '../request/parse-search-request.js';
import { costOf, requireAffordable } from './cost.js';

const BOUND = { most: 20_000, name: 'SEARCH_MAX_COST' };
const BODY_BYTES = MIB;

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
    ['costs what the scopes cost besides', { data: { 'child.nid': exact } }, 2 + 5],
    ['costs them once for all fields of an expression', { data: { 'child.nid': exact, 'child.name': exact } }, 4 + 5],
    ['may be on any field', { data: exact }, 50 + 5],
    ['does not make other fields dearer', { data: { 'child.name': exact } }, 2],
  ])('%s', (_, clause, cost) => {
    expect(costOf(parsed([clause]), 'query', guard).total).toBe(cost);
  });
});

/** The longest texts of which a body can hold this many. */
const longest = (count: number) => 'x'.repeat(Math.floor(BODY_BYTES / count) - 4);
/** As many words with this number of hexadecimal digits as a fuzzy term can hold; the last may be shorter. */
const hexWords = (digits: number) => `${'abcdef0123456789'.slice(0, digits)} `.repeat(256).slice(0, 256);
const numbers = (count: number) => times(count, (at) => String(10_000_000 + at)).join(' ');

describe('what is always permitted (Q-1)', () => {
  it.each<[string, readonly unknown[]]>([
    [
      '10,000 pairs of clause and term in named fields',
      times(10, () => ({ data: { 'child.name': { type: 'anyOf', terms: times(1_000, (at) => `Name ${at}`) } } })),
    ],
    [
      'the same as long as a body holds',
      times(10, () => ({ data: { 'child.name': { type: 'anyOf', terms: times(1_000, () => longest(10_000)) } } })),
    ],
    [
      '10,000 roles',
      times(10, () => ({ 'legalStatuses.DECLARED.createdByRole': { type: 'anyOf', terms: times(1_000, String) } })),
    ],
    [
      '20 fuzzy conditions of 28 numbers',
      times(20, () => ({ data: { 'child.nid': { type: 'fuzzy', term: numbers(28) } } })),
    ],
    ['20 fuzzy conditions on any field', times(20, () => ({ data: { type: 'fuzzy', term: numbers(28) } }))],
    ...['a', 'ab', 'abc', 'abcd'].map((letters): [string, readonly unknown[]] => [
      `20 fuzzy conditions of words of ${letters.length} letters`,
      times(20, () => ({ data: { type: 'fuzzy', term: manyWords(letters.length) } })),
    ]),
    ...times(15, (at) => at + 1).map((letters): [string, readonly unknown[]] => [
      `20 fuzzy conditions inside a field, of words of ${letters} hexadecimal digits`,
      times(20, () => ({ data: { 'child.address': { area: { type: 'fuzzy', term: hexWords(letters) } } } })),
    ]),
    [
      '20 conditions of 10 terms on any field',
      times(20, () => ({ data: { type: 'anyOf', terms: times(10, () => longest(200)) } })),
    ],
    ['500 clauses on places', times(500, () => ({ createdAtLocation: { type: 'within', location: 'x' } }))],
    ['2,000 fields', [{ data: Object.fromEntries(times(2_000, (at) => [`f${at}`, { type: 'exact', term: 'x' }])) }]],
  ])('%s', (_, clauses) => {
    expect(refusalOf(clauses)).toBeUndefined();
  });
});

/** As many different words with this number of letters as a fuzzy term can hold. */
function manyWords(letters: number): string {
  const words = times(Math.floor(256 / (letters + 1)), (at) =>
    times(letters, (place) => String.fromCodePoint(0x4e00 + ((at >> (6 * place)) & 63) + 64 * place)).join(''),
  );
  return words.join(' ');
}

describe('what costs too much', () => {
  it('is a 400 that names the costliest clause, its cost, the bound, and what would make it cheaper', () => {
    const texts = times(1_000, (at) => `text ${at}`);
    expect(
      refusalOf([{ eventType: 'birth' }, { type: 'and', clauses: [{ data: { type: 'anyOf', terms: texts } }] }]),
    ).toEqual({
      code: 'BAD_REQUEST',
      refusal: 'search-cost',
      issues: [
        'query.clauses[1].clauses[0].data: costs 50000 of 50001, and a query may cost 20000 in all (SEARCH_MAX_COST): name the fields to look in, or ask for fewer terms or words at a time',
      ],
    });
  });

  it('names a field of the declaration by its id', () => {
    const names = times(1_000, (at) => `name ${at}`);
    expect(refusalOf(times(66, () => ({ data: { 'child.name': { type: 'anyOf', terms: names } } })))).toMatchObject({
      issues: [
        'query.clauses[0].data["child.name"]: costs 1001 of 66066, and a query may cost 20000 in all (SEARCH_MAX_COST): ask for fewer terms or words at a time',
      ],
    });
  });

  it('is measured by another bound where a caller has one', () => {
    const clauses = [{ data: { 'a.b': { type: 'anyOf', terms: ['x', 'y'] } } }];
    expect(refusalOf(clauses, { most: 3, name: 'WEBHOOKS' }, 'hub.query')).toBeUndefined();
    expect(refusalOf(clauses, { most: 2, name: 'WEBHOOKS' }, 'hub.query')).toMatchObject({
      issues: [
        expect.stringMatching(/^hub\.query\.clauses\[0\]\.data\["a\.b"\]: costs 3 of 3, .* 2 in all \(WEBHOOKS\): /),
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
    expect(total).toBe(1 + (1 + 3) + 2);
  });

  it.each([
    ['abcd', 12],
    ['abcdef', 27],
    ['abcdef12', 27],
    ['xbcdef12345y', 42],
    ['xbcdef123xyz', 12],
    ['abcdef1234567890', 12],
    ['musonda', 12],
  ])('counts %s inside a field as %d: it may be near parts of UUIDs', (term, cost) => {
    const condition = { type: 'fuzzy', term };
    expect(costOf(parsed([{ data: { f: { a: condition } } }])).total).toBe(1 + cost);
    expect(costOf(parsed([{ data: { f: condition } }])).total).toBe(1 + 12);
  });

  it.each([
    [8_191, 63],
    [8_192, 64 + 1_000],
    [40_959, 319 + 16_000],
    [40_960, 320 + 25_000],
  ])('counts a text of %d characters as %d, since its words are read in one piece', (length, cost) => {
    const term = 'x '.repeat(length / 2 + 1).slice(0, length);
    expect(costOf(parsed([{ data: { f: { type: 'exact', term } } }])).total).toBe(1 + 1 + cost);
    expect(costOf(parsed([{ data: { f: { type: 'anyOf', terms: ['y', term] } } }])).total).toBe(1 + 2 + cost);
  });
});
