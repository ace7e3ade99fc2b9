/** Letters that Unicode does not decompose, and variants of one letter (S-11). */
const SPELLED: Readonly<Record<string, string>> = {
  ...{ ł: 'l', ø: 'o', đ: 'd', ħ: 'h', ı: 'i', ß: 'ss', æ: 'ae', œ: 'oe', þ: 'th', ð: 'd', ə: 'e' },
  ...{ ɓ: 'b', ɗ: 'd', ƙ: 'k', ƴ: 'y', ŋ: 'n', ɲ: 'n', ɔ: 'o', ɛ: 'e', ɖ: 'd', ʋ: 'v', ɨ: 'i' },
  ...{ '\u06a9': '\u0643', '\u06cc': '\u064a', '\u0649': '\u064a', '\u06c1': '\u0647', '\u0629': '\u0647' },
  ...{ '\u06c3': '\u0647', '\u0671': '\u0627', '\u0640': '', '\u03c2': '\u03c3' },
  ...{ ሐ: 'ሀ', ኀ: 'ሀ', ሠ: 'ሰ', ዐ: 'አ', ፀ: 'ጸ', ৎ: 'ত্' },
};

/** The digits of other scripts, by their value: what numbers are written with there. */
const DIGITS: ReadonlyMap<string, string> = new Map(
  Intl.supportedValuesOf('numberingSystem').flatMap((numberingSystem) => {
    const written = Array.from('0123456789', (digit) =>
      new Intl.NumberFormat('en', { numberingSystem, useGrouping: false }).format(Number(digit)),
    );
    return written.every((digit) => /^\p{Nd}$/u.test(digit)) ? written.map((digit, at) => [digit, String(at)]) : [];
  }),
);

const APOSTROPHES = new Set(
  Array.from("'`\u00b4\u02b9\u02bb\u02bc\u02bd\u02be\u02bf\u2018\u2019\u201b\u2032\u055a\u05f3\ua78b\ua78c\uff07"),
);

const showsNothing = (character: string): boolean => /\p{Default_Ignorable_Code_Point}/u.test(character);

/** A text as S-10 compares it. */
export const cleanOf = (text: string): string =>
  charactersOf(text)
    .filter((character) => !showsNothing(character))
    .map((character) => DIGITS.get(character) ?? character)
    .join('')
    .split(/\p{White_Space}/u)
    .filter((piece) => piece !== '')
    .join(' ');

/** The words of a text as S-11 reads them, character by character, in their order. */
export function wordsInOrder(text: string): readonly string[] {
  return charactersOf(cleanOf(text))
    .filter((character) => !APOSTROPHES.has(character))
    .join('')
    .split(' ')
    .flatMap((piece) => {
      const address = isAddress(piece) ? folded(trimmed(piece)) : '';
      return isAddress(address) ? [address] : runs(piece).flatMap((run) => runs(folded(run)));
    });
}

/** The same, each once. */
export const wordsIn = (text: string): readonly string[] => [...new Set(wordsInOrder(text))];

const charactersOf = (text: string): readonly string[] => Array.from(text);

const folded = (text: string): string =>
  charactersOf(text.normalize('NFKD'))
    .filter((character) => !isDropped(character))
    .map((character) => charactersOf(character.toLowerCase()).map((letter) => SPELLED[letter] ?? letter))
    .flat()
    .join('');

/** A mark that is not a letter of its script. */
const isDropped = (character: string): boolean => {
  const isOfScript = [/\p{sc=Zinh}/u, /\p{sc=Arab}/u, /\p{sc=Hebr}/u, /\p{sc=Syrc}/u].some((script) =>
    script.test(character),
  );
  const isVoicing = character === '\u3099' || character === '\u309a';
  return /\p{M}/u.test(character) && isOfScript && !isVoicing;
};

const isPartOfWord = (character: string): boolean => /\p{L}|\p{M}|\p{Nd}/u.test(character);

/** What stands between characters that are part of no word. */
function runs(text: string): readonly string[] {
  const found = [''];
  for (const character of charactersOf(text)) {
    if (isPartOfWord(character)) found.push((found.pop() ?? '') + character);
    else found.push('');
  }
  return found.filter((run) => run !== '');
}

/** No white space, and one `@` with something on both sides. */
const isAddress = (text: string): boolean => {
  const sides = text.split('@');
  return sides.length === 2 && sides.every((side) => side !== '') && !/\s/u.test(text);
};

/** Without what is neither part of a word nor the `@` at both ends. */
function trimmed(text: string): string {
  const characters = charactersOf(text);
  const isKept = (character: string): boolean => character === '@' || isPartOfWord(character);
  return characters.slice(characters.findIndex(isKept), characters.findLastIndex(isKept) + 1).join('');
}
