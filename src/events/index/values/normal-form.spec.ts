import fc from 'fast-check';
import { fold, ignoringCase, type NormalForm, normalForm, wordsOf } from './fold.js';

const FORMS: readonly NormalForm[] = ['NFC', 'NFKD'];
const characters = Array.from({ length: 0x110000 }, (_, point) => String.fromCodePoint(point)).filter(
  (character) => !/\p{Cs}/u.test(character),
);
const marks = characters.filter((character) => /\p{M}/u.test(character));
const OTHERS = [
  'a',
  'é',
  'ệ',
  'カ',
  'ガ',
  '\uff76',
  '\uff9e',
  '\uff9f',
  '한',
  '\u1112',
  '\u1161',
  '\u11ab',
  '\ufdfa',
  ' ',
];

/** A letter or none, and then marks of a few kinds, among which are other characters. */
const marked = fc
  .tuple(
    fc.constantFrom('', ...OTHERS),
    fc.array(fc.constantFrom(...marks), { minLength: 1, maxLength: 6 }),
    fc.array(fc.oneof({ weight: 30, arbitrary: fc.nat(5) }, fc.constantFrom(...OTHERS)), { maxLength: 120 }),
  )
  .map(([letter, few, then]) =>
    [letter, ...then.map((one) => (typeof one === 'string' ? one : few[one % few.length]))].join(''),
  );

describe('normalForm', () => {
  it.each(FORMS)('is the one of Unicode, %s, however many marks are in a row', (form) => {
    fc.assert(
      fc.property(marked, (text) => {
        expect(normalForm(text, form)).toBe(text.normalize(form));
      }),
      { numRuns: 2_000 },
    );
  });

  it.each(FORMS)('puts each mark that there is in order, %s', (form) => {
    const text = `a${marks.join('')}${marks.toReversed().join('')}`;
    expect(normalForm(text, form)).toBe(text.normalize(form));
  });

  it('knows each character that begins with a mark, once it is decomposed', () => {
    const isFirst = (character: string): boolean => {
      const [first = ''] = character.normalize('NFKD');
      return [`${first}\u0334`, `\u0345${first}`].some((text) => text.normalize('NFD') !== text);
    };
    expect(characters.filter((one) => isFirst(one) && !/[\p{M}\uff9e\uff9f]/u.test(one))).toEqual([]);
  });
});

/** What takes the square of its length takes minutes. */
const LENGTH = 300_000;

describe('a long text', () => {
  it('of marks that are not in order is folded', () => {
    const text = `a${'\u0300\u0316'.repeat(LENGTH / 2)}`;
    expect(fold(text)).toBe('a');
    expect(ignoringCase(text)).toBe(`\u00e0${'\u0316'.repeat(LENGTH / 2)}${'\u0300'.repeat(LENGTH / 2 - 1)}`);
  });

  it('of punctuation within an e-mail address is split into words', () => {
    const address = `a${'.'.repeat(LENGTH)}b@c`;
    expect(wordsOf(`«${address}${'.'.repeat(LENGTH)}»`)).toEqual([address]);
  });
});
