import { DATA, memberOf } from '../terms.js';
import { KnownWords } from './known-words.js';

const at = (key: string, isField: boolean, ...words: string[]) => ({
  path: memberOf(DATA, key),
  isField,
  words: new Set(words),
});

describe('the words that are known', () => {
  it('are those that were added, where they stand', () => {
    const known = new KnownWords();
    known.add([at('name', true, 'ama', 'kofi'), at('other', true, 'banda')]);
    expect(known.missing(at('name', true, 'ama', 'banda', 'kofi'))).toEqual(['banda']);
    expect(known.missing(at('name', false, 'ama'))).toEqual(['ama']);
    expect(known.missing(at('third', true, 'ama'))).toEqual(['ama']);
  });

  it('are no numbers and no e-mail addresses', () => {
    const known = new KnownWords();
    known.add([at('name', true, '0977123456', 'a@b.c', 'a1b2')]);
    expect(known.missing(at('name', true, '0977123456', 'a@b.c', 'a1b2'))).toEqual(['0977123456', 'a@b.c']);
  });

  it('are forgotten when there are too many', () => {
    const known = new KnownWords();
    known.add([at('name', true, 'ama')]);
    const word = (number: number) => Array.from(String(number), (digit) => 'abcdefghij'.charAt(Number(digit))).join('');
    const words = new Set(Array.from({ length: 250_000 }, (_, number) => word(number)));
    known.add([{ ...at('name', true), words }]);
    expect(known.missing(at('name', true, 'ama'))).toEqual(['ama']);
  });
});
