import fc from 'fast-check';

import { CursorBox } from './cursors.js';

const box = new CursorBox(Buffer.alloc(32, 1));

describe('a cursor box', () => {
  it('seals the same text the same way in every release and process', () => {
    expect(box.seal('["walk",["2024-01-01T00:00:00+00:00",null]]')).toBe(
      'VqpfHaom346qPSgR4660Nqf-p6TM8Xtx0-xFP-EmaJM8chS1F6PdqN7ZP_ss9NtYlmt77KAh98zoW8w',
    );
  });

  it('opens what it sealed, and shows nothing of it', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', minLength: 6 }), (plain) => {
        const sealed = box.seal(plain);
        expect(sealed).toMatch(/^[\w-]+$/);
        expect(box.open(sealed)).toBe(plain);
        expect(Buffer.from(sealed, 'base64url').includes(plain)).toBe(false);
      }),
    );
  });

  it('opens nothing in which one character is another one', () => {
    const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
    fc.assert(
      fc.property(fc.string(), fc.nat(), fc.constantFrom(...Array.from(alphabet)), (plain, at, other) => {
        const sealed = box.seal(plain);
        const place = at % sealed.length;
        fc.pre(sealed[place] !== other);
        expect(box.open(sealed.slice(0, place) + other + sealed.slice(place + 1))).toBeUndefined();
      }),
    );
  });

  it.each(['', 'x', '=', 'not ours', box.seal('a').slice(1), `${box.seal('a')}A`, `${box.seal('a')}=`, ' '])(
    'opens nothing that it did not seal: %j',
    (text) => {
      expect(box.open(text)).toBeUndefined();
    },
  );

  it('opens nothing that was sealed under another key', () => {
    expect(new CursorBox(Buffer.alloc(32, 2)).open(box.seal('a'))).toBeUndefined();
  });
});
