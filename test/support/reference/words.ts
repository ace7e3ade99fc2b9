/** Letters that Unicode does not decompose (S-11), and the sigma that ends a word. */
const SPELLED: Readonly<Record<string, string>> = {
  ...{ ł: 'l', ø: 'o', đ: 'd', ħ: 'h', ı: 'i', ß: 'ss', æ: 'ae', œ: 'oe', þ: 'th', ð: 'd' },
  ...{ '\u03c2': '\u03c3' },
};

/** The words of a text as S-11 reads them, character by character. */
export function wordsIn(text: string): readonly string[] {
  const drawn = charactersOf(text).filter((character) => character !== '\u200c' && character !== '\u200d');
  const words = drawn
    .join('')
    .split(/\s/u)
    .flatMap((piece) => {
      const address = isAddress(piece) ? folded(trimmed(piece)) : '';
      return isAddress(address) ? [address] : runs(piece).flatMap((run) => runs(folded(run)));
    });
  return [...new Set(words)];
}

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
