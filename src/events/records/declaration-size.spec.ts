import { Faults } from '../../kernel/errors/faults.js';
import { checkSize, excessOfResult } from './declaration-size.js';

const messagesFor = (declaration: Parameters<typeof checkSize>[0]): readonly string[] => {
  const faults = new Faults();
  checkSize(declaration, 'declaration', faults);
  return faults.issues.map(({ message }) => message);
};
const fields = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, at) => [`f${at % 10_000}`, 1]));

describe('the size of a declaration', () => {
  it('is bounded in values, at every level, and in characters', () => {
    expect(messagesFor(fields(2_000))).toEqual([]);
    expect(messagesFor(fields(2_001))).toEqual(['declaration: has more than 2000 values']);
    expect(messagesFor({ list: Array.from({ length: 1_999 }, () => 'a') })).toEqual([]);
    expect(messagesFor({ list: Array.from({ length: 1_999 }, () => ({ a: null })) })).toEqual([
      'declaration: has more than 2000 values',
    ]);
    expect(messagesFor({ text: 'x'.repeat(99_996) })).toEqual([]);
    expect(messagesFor({ text: 'x'.repeat(99_997) })).toEqual([
      'declaration: has 100001 characters of text; at most 100000 are allowed',
    ]);
  });

  it.each([
    ['\ufdfa', 18],
    ['\ufdfb', 8],
  ])('counts %s as its letters, which it is derived as', (ligature, letters) => {
    expect(ligature.normalize('NFKD')).toHaveLength(letters);
    const most = Math.floor((100_000 - 't'.length) / letters);
    expect(messagesFor({ t: ligature.repeat(most) })).toEqual([]);
    expect(messagesFor({ t: ligature.repeat(most + 1) })).toEqual([
      `declaration: has ${1 + letters * (most + 1)} characters of text; at most 100000 are allowed`,
    ]);
  });

  it('knows every character that becomes more than seven', () => {
    const long = Array.from({ length: 0xd800 }, (_, code) => String.fromCodePoint(code))
      .concat(Array.from({ length: 0x30000 - 0xe000 }, (_, at) => String.fromCodePoint(0xe000 + at)))
      .filter((character) => character.normalize('NFKD').length > 7);
    expect(long).toEqual(['\ufdfa', '\ufdfb']);
  });

  it('is bounded in the length of each key', () => {
    const fault = 'declaration: has a field id or key of more than 256 code points';
    expect(messagesFor({ ['😀'.repeat(256)]: { ['x'.repeat(256)]: 1 } })).toEqual([]);
    expect(messagesFor({ ['x'.repeat(257)]: 1 })).toEqual([fault]);
    expect(messagesFor({ list: [{ ['x'.repeat(257)]: 1 }] })).toEqual([fault]);
  });
});

describe('a declaration that becomes of another one', () => {
  const excess = (after: object, before: object): string | undefined =>
    excessOfResult(after as Parameters<typeof checkSize>[0], () => before as Parameters<typeof checkSize>[0]);
  const long = 'x'.repeat(257);

  it.each([
    ['grows up to the bound', fields(2_000), fields(1), undefined],
    ['grows beyond it', fields(2_001), fields(1), 'would have 2001 values; at most 2000 are allowed'],
    ['stays beyond it', fields(3_000), fields(3_000), undefined],
    ['shrinks beyond it', fields(2_999), fields(3_000), undefined],
    ['grows more', fields(3_001), fields(3_000), 'would have 3001 values; at most 2000 are allowed'],
    ['has as many characters', { a: 'x'.repeat(200_000) }, { b: 'y'.repeat(200_000) }, undefined],
    [
      'has more of them',
      { ...fields(3_000), a: 'x'.repeat(200_000) },
      fields(3_001),
      'would have 213891 characters of text; at most 100000 are allowed',
    ],
    ['keeps a long key', { [long]: 1 }, { [long]: 2, a: 1 }, undefined],
    ['gets one', { [long]: 1 }, { a: 1 }, 'would have a field id or key of more than 256 code points'],
  ])('%s', (_, after, before, expected) => {
    expect(excess(after, before)).toBe(expected);
  });
});
