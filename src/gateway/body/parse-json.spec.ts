import fc from 'fast-check';

import { ServiceError } from '../../kernel/errors/service-error.js';
import { parseJson } from './parse-json.js';

const parse = (text: string): unknown => parseJson(Buffer.from(text));

function issuesOf(bytes: Buffer, name?: string): unknown {
  try {
    parseJson(bytes, name);
  } catch (error) {
    if (error instanceof ServiceError) return [error.code, error.issues.map(({ message }) => message)];
    throw error;
  }
  return undefined;
}

describe('parseJson', () => {
  it('yields any JSON value as it was written', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.nat(4), (value, spaces) => {
        const text = JSON.stringify(value, null, spaces);
        expect(parse(text)).toEqual(JSON.parse(text));
      }),
    );
  });

  it.each(['', ' ', '\r\n\t', '\ufeff'])('takes %j for no body', (text) => {
    expect(parse(text)).toBeUndefined();
  });

  it('keeps __proto__ and constructor as keys of the object that has them', () => {
    const value = parse('{"__proto__": {"admin": true}, "constructor": 1}');
    expect(Object.keys(value as object)).toEqual(['__proto__', 'constructor']);
    expect((value as { admin?: boolean }).admin).toBeUndefined();
  });

  it('passes over a byte order mark', () => {
    expect(parse('\ufeff{"a": 1}')).toEqual({ a: 1 });
  });

  it.each([
    '{',
    '"',
    '"\\',
    '{"a',
    '[]]]',
    '}{',
    '{"a":}',
    "{'a': 1}",
    '{"a": 1,}',
    'NaN',
    '{"a": 1}{"b": 2}',
    '\u0000',
    'undefined',
    '"\n"',
  ])('refuses %j', (text) => {
    expect(issuesOf(Buffer.from(text))).toEqual(['BAD_REQUEST', ['body: is not valid JSON']]);
  });

  it('names what is no body by its own name', () => {
    expect(issuesOf(Buffer.from('{'), 'input')).toEqual(['BAD_REQUEST', ['input: is not valid JSON']]);
  });

  it('refuses bytes that are not UTF-8', () => {
    expect(issuesOf(Buffer.from([0x22, 0xc3, 0x28, 0x22]))).toEqual(['BAD_REQUEST', ['body: is not valid UTF-8']]);
  });

  it.each([
    ['{"a": 1, "b": 2, "a": 3}', 'a'],
    ['{"query": {"clauses": [{}, {"status": 1, "stat\\u0075s": 2}]}}', 'query.clauses[1].status'],
    ['{"data": {"child.name": {"x": "\\\\", "x": ","}}}', 'data["child.name"].x'],
    ['[[1, {"a": {"a": [{"a": 1}]}, "b": "a", "b": "a"}]]', '[0][1].b'],
    ['{"__proto__": 1, "__proto__": 2}', '__proto__'],
  ])('refuses a key that an object has twice: %s', (text, path) => {
    expect(issuesOf(Buffer.from(text))).toEqual(['BAD_REQUEST', [`${path}: is given twice`]]);
  });

  it('takes the same key in different objects, and text that looks like a key', () => {
    const text = '{"a": {"a": "\\"a\\": 1, \\"a\\""}, "b": [{"a": 1}, {"a": 1}, "a", "a"]}';
    expect(parse(text)).toEqual(JSON.parse(text));
  });

  it('refuses nesting past 128 levels, however deep', () => {
    const nested = (levels: number): Buffer => Buffer.from('['.repeat(levels) + ']'.repeat(levels));
    expect([128, 129, 500_000].map((levels) => issuesOf(nested(levels)))).toEqual([
      undefined,
      ['BAD_REQUEST', ['body: must be nested at most 128 levels deep']],
      ['BAD_REQUEST', ['body: must be nested at most 128 levels deep']],
    ]);
  });

  const MANY = 60_000;
  const TOO_MANY = ['BAD_REQUEST', ['body: must have at most 60000 values in all']];

  it.each([
    ['items of a list', (count: number) => `[${'1,'.repeat(count - 1)}1]`],
    ['members of an object', (count: number) => `{${Array.from({ length: count }, (_, at) => `"k${at}":1`).join()}}`],
    ['values inside one another', (count: number) => `[${'{"a":1},'.repeat(count / 2 - 1)}{"a":1}]`],
    ['empty lists, which count as two', (count: number) => `[${'[],'.repeat(count / 2 - 1)}{}]`],
  ])('refuses more than 60,000 %s', (_, text) => {
    const of = (count: number): unknown => issuesOf(Buffer.from(text(count)));
    expect([of(MANY), of(MANY + 2)]).toEqual([undefined, TOO_MANY]);
  });

  it('counts no commas and brackets of texts, and none past the bound', () => {
    expect(parse(JSON.stringify(['[{,'.repeat(MANY)]))).toEqual(['[{,'.repeat(MANY)]);
    expect(issuesOf(Buffer.from(`[${','.repeat(MANY)}${'['.repeat(MANY)}`))).toEqual(TOO_MANY);
  });
});
