import superjson from 'superjson';

import { ServiceError } from '../../kernel/errors/service-error.js';
import { readCalls } from './trpc-calls.js';

const inputsOf = (...given: Parameters<typeof readCalls>): unknown[] =>
  readCalls(...given).calls.map(({ path, input }) => [path, input()]);
const faultOf = (work: () => unknown): unknown => {
  try {
    return work();
  } catch (error) {
    return error instanceof ServiceError ? [error.code, error.issues[0]?.message] : error;
  }
};

const ONLY_PLAIN = 'input: may name no types in its "meta" but Date and undefined, and at most 2000';
const UNFIT = 'input: has a "meta" that does not fit its "json"';
const undefineds = (count: number): object =>
  Object.fromEntries(Array.from({ length: count }, (_, at) => [`k${at}`, ['undefined']]));

describe('readCalls', () => {
  it('reads one call, with or without an input', () => {
    expect(inputsOf('event.search', undefined, { json: { limit: 1 } })).toEqual([['event.search', { limit: 1 }]]);
    expect(inputsOf('integrations.list', undefined, undefined)).toEqual([['integrations.list', undefined]]);
    expect(readCalls('a,b', undefined, undefined)).toMatchObject({ isBatch: false, calls: [{ path: 'a,b' }] });
  });

  it('reads the calls of a batch, each with its input', () => {
    expect(inputsOf('a.b,c.d,a.b', '1', { 0: { json: 1 }, 2: { json: { x: [] } } })).toEqual([
      ['a.b', 1],
      ['c.d', undefined],
      ['a.b', { x: [] }],
    ]);
  });

  it('reads what superjson writes as the JSON that it stands for', () => {
    const read = (input: unknown): unknown =>
      readCalls('a', undefined, JSON.parse(JSON.stringify(superjson.serialize(input)))).calls[0]?.input();
    const shared = { x: 1 };
    expect(read({ status: undefined, at: new Date(0), one: shared, other: shared })).toEqual({
      at: '1970-01-01T00:00:00.000Z',
      one: shared,
      other: shared,
    });
    expect(read(undefined)).toBeUndefined();
    expect(read({ 'child.name': { 'a\\b': undefined, when: [new Date(1), undefined, new Date(NaN)] } })).toEqual({
      'child.name': { when: ['1970-01-01T00:00:00.001Z', null, null] },
    });
    expect(read(new Date(0))).toBe('1970-01-01T00:00:00.000Z');
  });

  it('leaves out what the meta says to be undefined also where the json leaves it out', () => {
    const meta = { values: { limit: ['undefined'], constructor: ['undefined'] } };
    expect(inputsOf('a', undefined, { json: { offset: 1 }, meta })).toEqual([['a', { offset: 1 }]]);
  });

  it('leaves whatever the meta does not name as it is, without a copy', () => {
    const query = { clauses: [] };
    const { input } = readCalls('a', undefined, {
      json: { query, limit: null },
      meta: { values: { limit: ['undefined'] } },
    }).calls[0] ?? { input: () => undefined };
    expect((input() as { query: unknown }).query).toBe(query);
  });

  it.each([
    ['an input without its envelope', { limit: 1 }, 'input: must be {"json": …}'],
    ['a list', [1], 'input: must be {"json": …}'],
    ['a meta that makes a big number', { json: { a: '7' }, meta: { values: { a: ['bigint'] } } }, ONLY_PLAIN],
    [
      'a meta that makes an array as long as a number says',
      { json: { a: 1_000 }, meta: { values: { a: [['typed-array', 'Uint8Array']] } } },
      ONLY_PLAIN,
    ],
    [
      'a meta that makes a set, and names members of it',
      { json: { a: ['x', 'y'] }, meta: { values: { a: ['set'], 'a.1': ['undefined'] } } },
      ONLY_PLAIN,
    ],
    ['a meta with members of a map', { json: [], meta: { values: ['map', { '0.0': ['Date'] }] } }, ONLY_PLAIN],
    ['a meta of too many types', { json: {}, meta: { values: undefineds(2_001) } }, ONLY_PLAIN],
    ['a meta that is none', { json: {}, meta: { values: [['undefined']] } }, ONLY_PLAIN],
    ['a meta for the prototype', { json: {}, meta: { values: { '__proto__.x': ['Date'] } } }, UNFIT],
    ['a meta for a member of nothing', { json: { a: null }, meta: { values: { 'a.x': ['undefined'] } } }, UNFIT],
    [
      'a date that is an object',
      { json: { a: { toString: 1, valueOf: 1 } }, meta: { values: { a: ['Date'] } } },
      UNFIT,
    ],
    ['a date that is a list', { json: [['2026-01-01']], meta: { values: { 0: ['Date'] } } }, UNFIT],
    ['a date that is nothing', { json: null, meta: { values: ['Date'] } }, UNFIT],
    ['a meta whose path ends in a backslash', { json: { a: 1 }, meta: { values: { 'a\\': ['Date'] } } }, UNFIT],
    ['a meta for the length of a list', { json: [1], meta: { values: { length: ['Date'] } } }, UNFIT],
    ['a meta for the millionth item of a short list', { json: [1], meta: { values: { 1_000_000: ['Date'] } } }, UNFIT],
  ])('refuses %s', (_, input, message) => {
    expect(faultOf(() => inputsOf('a', undefined, input))).toEqual(['BAD_REQUEST', message]);
  });

  it('takes no endless input from a small one: equal references are not followed', () => {
    const meta = { values: {}, referentialEqualities: { a: ['b.0', 'b.1'], b: ['c.0', 'c.1'] } };
    expect(inputsOf('a', undefined, { json: { a: [], b: [0, 0], c: [0, 0] }, meta })).toEqual([
      ['a', { a: [], b: [0, 0], c: [0, 0] }],
    ]);
  });

  it('bounds a batch', () => {
    const names = (count: number): string => Array.from({ length: count }, () => 'a').join(',');
    expect(readCalls(names(20), '1', {}).calls).toHaveLength(20);
    expect(faultOf(() => readCalls(names(21), '1', {}))).toEqual(['BAD_REQUEST', 'batch: must be at most 20 calls']);
    expect(faultOf(() => readCalls('a,b', '1', []))).toEqual([
      'BAD_REQUEST',
      'input: must be an object, with an input for each call',
    ]);
  });
});
