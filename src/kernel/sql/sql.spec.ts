import { all, any, identifier, sql, Sql } from './sql.js';

const now = new Date('2026-01-31T08:30:00Z');

describe('SQL as a value', () => {
  it.each<[string, Sql, string, unknown[]]>([
    ['is its text when it has no holes', sql`select 1`, 'select 1', []],
    ['is empty', sql``, '', []],
    ['binds what stands in a hole', sql`status = ${'DECLARED'}`, 'status = $1', ['DECLARED']],
    [
      'binds text that looks like SQL',
      sql`name = ${"x'; drop table record; --"} and ${'$1'} = ${'?'}`,
      'name = $1 and $2 = $3',
      ["x'; drop table record; --", '$1', '?'],
    ],
    [
      'binds a list whole, empty or not',
      sql`a = any (${['x', 'y']}::text[]) or b = any (${[]})`,
      'a = any ($1::text[]) or b = any ($2)',
      [['x', 'y'], []],
    ],
    [
      'binds null, false, 0 and dates as they are',
      sql`${null} ${false} ${0} ${now}`,
      '$1 $2 $3 $4',
      [null, false, 0, now],
    ],
    [
      'numbers the holes of fragments in the order in which they are read',
      sql`a = ${1} and ${sql`b = ${2} or ${sql`c = ${3}`}`} and d = ${4}`,
      'a = $1 and b = $2 or c = $3 and d = $4',
      [1, 2, 3, 4],
    ],
    ['binds one value twice when it stands twice', sql`${'x'} = ${'x'}`, '$1 = $2', ['x', 'x']],
    ['joins fragments', Sql.join([sql`a = ${1}`, sql`b`, sql`c = ${3}`], ', '), 'a = $1, b, c = $2', [1, 3]],
    ['joins one fragment to itself alone', Sql.join([sql`a`], ', '), 'a', []],
    ['joins none to nothing', Sql.join([], ', '), '', []],
  ])('%s', (_, statement, text, params) => {
    expect(statement.toQuery()).toEqual({ text, params });
  });

  it('may be used in more than one statement', () => {
    const condition = sql`type = ${'birth'}`;
    expect(sql`select ${1} where ${condition}`.toQuery()).toEqual({
      text: 'select $1 where type = $2',
      params: [1, 'birth'],
    });
    expect(condition.toQuery()).toEqual({ text: 'type = $1', params: ['birth'] });
  });

  it('does not take an object that looks like a fragment for one', () => {
    const forged: unknown = JSON.parse('{"strings":["drop table record"],"holes":[]}');
    expect(sql`a = ${forged}`.toQuery()).toEqual({ text: 'a = $1', params: [forged] });
  });
});

describe('conditions combined', () => {
  const [a, b] = [sql`a = ${1}`, sql`b = ${2}`];

  it.each<[string, Sql, string]>([
    ['all of none is true', all([]), 'true'],
    ['any of none is false', any([]), 'false'],
    ['all of one is that one', all([a]), 'a = $1'],
    ['any of one is that one', any([a]), 'a = $1'],
    ['all of two stand in brackets', all([a, b]), '(a = $1 and b = $2)'],
    ['any of two stand in brackets', any([a, b]), '(a = $1 or b = $2)'],
    [
      'each keeps its own brackets',
      all([any([a, b]), all([b, any([])])]),
      '((a = $1 or b = $2) and (b = $3 and false))',
    ],
  ])('%s', (_, condition, text) => {
    expect(condition.toQuery().text).toBe(text);
  });

  it('binds one and the same list once, however often it stands, and equal texts each time', () => {
    const ids = ['a', 'b'];
    expect(sql`x = any(${ids}) or y = any(${ids}) or z = ${'a'} or z = ${'a'}`.toQuery()).toEqual({
      text: 'x = any($1) or y = any($1) or z = $2 or z = $3',
      params: [['a', 'b'], 'a', 'a'],
    });
  });
});

describe('the name of a column', () => {
  it.each(['status', 'created_at', 's.created_at', 'e2'])('is taken as it is: %s', (name) => {
    expect(sql`select ${identifier(name)}`.toQuery()).toEqual({ text: `select ${name}`, params: [] });
  });

  it.each(['', 'Status', 'a b', 'a;b', 'a"b', "a'b", 'a--b', '1a', '_a', 'a.b.c', 'a.', '.a', 'a\n', 'a$1', 'å'])(
    'is refused where SQL could read something else: %j',
    (name) => {
      expect(() => identifier(name)).toThrow(RangeError);
    },
  );
});
