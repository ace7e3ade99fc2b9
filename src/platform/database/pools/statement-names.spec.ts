import { StatementNames } from './connections.js';

const query = (text: string, ...params: readonly unknown[]) => ({ text, params });

describe('StatementNames', () => {
  it('names a statement when it comes again, and always the same', () => {
    const names = new StatementNames();
    expect(names.nameOf(query('select 1'))).toBeUndefined();
    expect(names.nameOf(query('select 2'))).toBeUndefined();
    const name = names.nameOf(query('select 1'));
    expect(name).toMatch(/^[\w-]{22}$/);
    expect(names.nameOf(query('select 1'))).toBe(name);
    expect(names.nameOf(query('select 2'))).not.toBe(name);
  });

  it('names 200 statements at most', () => {
    const names = new StatementNames();
    const texts = Array.from({ length: 300 }, (_, at) => `select ${at}`);
    for (const text of texts) names.nameOf(query(text));
    const given = texts.map((text) => names.nameOf(query(text))).filter((name) => name !== undefined);
    expect([given.length, new Set(given).size]).toEqual([200, 200]);
  });

  it('forgets what came once and long ago', () => {
    const names = new StatementNames();
    for (let at = 0; at <= 1_000; at += 1) names.nameOf(query(`select ${at}`));
    expect(names.nameOf(query('select 0'))).toBeUndefined();
    expect(names.nameOf(query('select 1000'))).toBeDefined();
  });

  it('keeps no long statement', () => {
    const names = new StatementNames();
    const long = `select ${'1, '.repeat(10_000)} 1`;
    expect([names.nameOf(query(long)), names.nameOf(query(long))]).toEqual([undefined, undefined]);
  });

  it('names no statement that compares with a list in one text', () => {
    const asked = query(`select from event where id like any(string_to_array(($1::text[])[1], ','))`, ['a_,_b']);
    const names = new StatementNames();
    expect([names.nameOf(asked), names.nameOf(asked)]).toEqual([undefined, undefined]);
  });

  it.each([
    ['compares a column with nine values', 'select from event where seq = any($1::bigint[])', 9, false],
    ['with eight', 'select from event where seq = any($1::bigint[])', 8, true],
    [
      'with 32 that PostgreSQL does not see',
      'select from event where seq = any((select $1::bigint[])::bigint[])',
      32,
      true,
    ],
    ['with 33 of these', 'select from event where seq = any((select $1::bigint[])::bigint[])', 33, false],
  ])('whether a statement that %s has one', (_, text, length, isNamed) => {
    const names = new StatementNames();
    const asked = query(
      text,
      Array.from({ length }, (_value, at) => at),
    );
    names.nameOf(asked);
    expect(names.nameOf(asked) !== undefined).toBe(isNamed);
  });
});
