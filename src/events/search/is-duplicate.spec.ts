import { SHIPPED_EVENT_TYPES } from '../../kernel/domain/event-configuration/shipped-event-types.js';
import type { DuplicateRule } from '../../kernel/domain/event-configuration/event-type.js';
import type { Declaration } from '../../kernel/domain/event-record.js';
import { isDuplicate } from './duplicate-search.js';

const NAME: DuplicateRule = { type: 'fuzzy', field: 'name' };
const NUMBER: DuplicateRule = { type: 'strict', field: 'number' };
const DAY: DuplicateRule = { type: 'dateRange', field: 'day', days: 5 };
const CROSS: DuplicateRule = { type: 'strict', field: 'number', with: 'other' };

const named = (surname: string) => ({ firstname: 'Ana', surname });
const SAME_NAMES = ['De la Cruz', 'Dela Cruz', 'De lacruz', 'Delacruz'];
/** Names with their word boundaries in other places (S-11), in both directions. */
const BOUNDARIES = [
  ...SAME_NAMES.flatMap((mine) => SAME_NAMES.map((other) => [named(mine), named(other), true] as const)),
  [named('van den Berg'), named('Vandenberg'), true],
  [named('Vandenberg'), named('van den Berg'), true],
  [named('van den Berg'), named('Vandenberg Banda'), true],
  [named('Vandenberg Banda'), named('van den Berg'), true],
  [named('van den Berg Phiri'), named('Vandenberg Banda'), false],
  [named('Vandenberg Banda'), named('van den Berg Phiri'), false],
] as const;

describe('a duplicate rule', () => {
  it.each<[string, DuplicateRule, Declaration, Declaration, boolean]>([
    ['names with a typing error', NAME, { name: 'Anna Banda' }, { name: 'Ana Banda' }, true],
    [
      'the name of a form and a text',
      NAME,
      { name: { firstname: 'Ana', surname: 'Bánda' } },
      { name: 'ana banda' },
      true,
    ],
    ['a name with one word more', NAME, { name: 'Ana Maria Phiri' }, { name: 'Ana Phiri' }, true],
    ['a name with one word fewer', NAME, { name: 'Ana Phiri' }, { name: 'Ana Maria Phiri' }, true],
    [
      'a longer name without a word of the shorter one',
      NAME,
      { name: 'Ana Maria Phiri' },
      { name: 'Ana Banda' },
      false,
    ],
    ['a name without a word', NAME, { name: 'Ana Phiri' }, { name: '-' }, false],
    ['as many words, each near one of the new name', NAME, { name: 'Anna Banda' }, { name: 'Anna Ana' }, true],
    ['another name', NAME, { name: 'Anna Banda' }, { name: 'Anna Phiri' }, false],
    ...BOUNDARIES.map(([mine, other, expected]): [string, DuplicateRule, Declaration, Declaration, boolean] => [
      `the words of ${mine.surname} with those of ${other.surname}`,
      NAME,
      { name: mine },
      { name: other },
      expected,
    ]),
    ['the words of a text, which are not joined', NAME, { name: 'De la Cruz' }, { name: 'Delacruz' }, false],
    ['the same text but for letter case', NUMBER, { number: 'aB1' }, { number: 'Ab1' }, true],
    ['the same text, with a space behind it', NUMBER, { number: 'aB1 ' }, { number: 'Ab1 ' }, true],
    ['a text without the space behind it', NUMBER, { number: 'aB1 ' }, { number: 'Ab1' }, true],
    ['a text with the space behind it', NUMBER, { number: 'aB1' }, { number: 'Ab1 ' }, true],
    ['a text with a space before it, and one behind it', NUMBER, { number: 'aB1 ' }, { number: ' Ab1' }, true],
    ['the same number', NUMBER, { number: 7 }, { number: 7 }, true],
    ['a part of a number', NUMBER, { number: '71' }, { number: '712' }, false],
    [
      'a name with one more word',
      NUMBER,
      { number: { firstname: 'A' } },
      { number: { firstname: 'A', surname: 'B' } },
      false,
    ],
    [
      'the same name',
      NUMBER,
      { number: { firstname: 'A', surname: 'B' } },
      { number: { surname: 'b', firstname: 'a' } },
      true,
    ],
    ['another field', CROSS, { number: '1' }, { number: '2', other: '1' }, true],
    ['five days earlier', DAY, { day: '2026-03-03' }, { day: '2026-02-26' }, true],
    ['six days later', DAY, { day: '2026-02-26' }, { day: '2026-03-04' }, false],
    ['no date', DAY, { day: '2026-02-26' }, { day: 'soon' }, false],
    ['a missing value of the other', NUMBER, { number: '1' }, {}, false],
  ])('compares %s', (_, rule, mine, other, expected) => {
    expect(isDuplicate(rule, mine, other)).toBe(expected);
  });

  it.each<[string, DuplicateRule, boolean]>([
    ['makes an AND void', { type: 'and', clauses: [NUMBER, NAME] }, false],
    ['is left out of an OR', { type: 'or', clauses: [NUMBER, NAME] }, true],
    ['is not the opposite of anything', { type: 'not', clause: NUMBER }, false],
    ['leaves nothing of an OR of nothing else', { type: 'or', clauses: [NUMBER] }, false],
  ])('that has no value %s', (_, rule, expected) => {
    expect(isDuplicate(rule, { name: 'Ana', number: '  ' }, { name: 'Ana', number: '1' })).toBe(expected);
  });

  it('is the opposite of what it negates', () => {
    const rule: DuplicateRule = { type: 'and', clauses: [NAME, { type: 'not', clause: NUMBER }] };
    const mine = { name: 'Ana', number: '1' };
    expect([isDuplicate(rule, mine, mine), isDuplicate(rule, mine, { ...mine, number: '2' })]).toEqual([false, true]);
  });

  it('compares nothing that is very long', () => {
    const long = 'ana '.repeat(100);
    expect(isDuplicate(NAME, { name: long }, { name: long })).toBe(false);
    expect(isDuplicate(NAME, { name: 'ana' }, { name: 'ana '.repeat(5_000) })).toBe(false);
  });
});

describe('the rules that ship', () => {
  const rulesOf = (type: string): DuplicateRule => {
    const rule = SHIPPED_EVENT_TYPES.get(type)?.duplicates;
    if (rule === undefined) throw new Error(`${type} has no rules`);
    return rule;
  };
  const child = { 'child.name': { firstname: 'Ana', surname: 'Banda' }, 'child.dob': '2026-02-20', 'mother.nid': '17' };
  const dead = {
    'deceased.name': { firstname: 'Ana', surname: 'Banda' },
    'deceased.dob': '1950-01-01',
    'eventDetails.date': '2026-02-20',
  };

  it.each<[string, string, Declaration, Declaration, boolean]>([
    [
      'birth',
      'the same mother, and a name and a date nearly the same',
      { 'child.name': 'Anna Banda', 'child.dob': '2026-02-24' },
      {},
      true,
    ],
    ['birth', 'a twin of another name', { 'child.name': 'Musonda Banda' }, {}, false],
    ['birth', 'another mother', { 'mother.nid': '18' }, {}, false],
    ['birth', 'the same number of the child', { 'child.nid': '5', 'mother.nid': '18' }, { 'child.nid': '5' }, true],
    ['death', 'the same person, a day later', { 'eventDetails.date': '2026-02-21' }, {}, true],
    ['death', 'a namesake of another age', { 'deceased.dob': '1960-01-01' }, {}, false],
  ])('take for the same %s: %s', (type, _, mine, other, expected) => {
    const base = type === 'birth' ? child : dead;
    expect(isDuplicate(rulesOf(type), { ...base, ...mine }, { ...base, ...other })).toBe(expected);
  });
});
