import { Faults } from '../../errors/faults.js';
import { checkSize } from './declaration-size.js';

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

  it('is bounded in the length of each key', () => {
    const fault = 'declaration: has a field id or key of more than 256 code points';
    expect(messagesFor({ ['😀'.repeat(256)]: { ['x'.repeat(256)]: 1 } })).toEqual([]);
    expect(messagesFor({ ['x'.repeat(257)]: 1 })).toEqual([fault]);
    expect(messagesFor({ list: [{ ['x'.repeat(257)]: 1 }] })).toEqual([fault]);
  });
});
