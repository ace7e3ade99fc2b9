import { StatementNames } from './statement-names.js';

describe('StatementNames', () => {
  it('names a statement when it comes again, and always the same', () => {
    const names = new StatementNames();
    expect(names.nameOf('select 1')).toBeUndefined();
    expect(names.nameOf('select 2')).toBeUndefined();
    const name = names.nameOf('select 1');
    expect(name).toMatch(/^[\w-]{22}$/);
    expect(names.nameOf('select 1')).toBe(name);
    expect(names.nameOf('select 2')).not.toBe(name);
  });

  it('names 200 statements at most', () => {
    const names = new StatementNames();
    const texts = Array.from({ length: 300 }, (_, at) => `select ${at}`);
    for (const text of texts) names.nameOf(text);
    const given = texts.map((text) => names.nameOf(text)).filter((name) => name !== undefined);
    expect([given.length, new Set(given).size]).toEqual([200, 200]);
  });

  it('forgets what came once and long ago', () => {
    const names = new StatementNames();
    for (let at = 0; at <= 1_000; at += 1) names.nameOf(`select ${at}`);
    expect(names.nameOf('select 0')).toBeUndefined();
    expect(names.nameOf('select 1000')).toBeDefined();
  });

  it('keeps no long statement', () => {
    const names = new StatementNames();
    const long = `select ${'1, '.repeat(10_000)} 1`;
    expect([names.nameOf(long), names.nameOf(long)]).toEqual([undefined, undefined]);
  });
});
