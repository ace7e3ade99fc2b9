import { lowerUuid, parseUuid } from './uuid.js';

/** Visible ASCII words with one space between them: most texts, which are clean as they are. */
const CLEAN = /^(?:[!-~]+(?: [!-~]+)*)?$/;
const INVISIBLE = /\p{Default_Ignorable_Code_Point}/gu;
const SPACES = /\p{White_Space}+/gu;
const AROUND = /^ | $/g;
const SPACES_AROUND = /^\p{White_Space}+|(?<!\p{White_Space})\p{White_Space}+$/gu;
const OTHER_DIGITS = /(?![0-9])\p{Nd}/gu;

/**
 * A text as it is compared (S-7, S-10): without characters that show nothing, with one space for white space of any
 * kind and none at the ends, and with ASCII digits. Cleaning twice changes nothing.
 */
export function cleanText(text: string): string {
  if (CLEAN.test(text)) return text;
  return withAsciiDigits(withoutInvisible(text).replace(SPACES, ' ').replace(AROUND, ''));
}

/** The text without characters that show nothing: joiners, soft hyphens, marks of direction. */
export const withoutInvisible = (text: string): string => text.replace(INVISIBLE, '');

/** The ways in which an id is compared: trimmed, with ASCII digits too, and as it is written (S-7). */
export function spellingsOfId(id: string): readonly string[] {
  if (CLEAN.test(id)) return spellingsOfUuid(id);
  const trimmed = withoutInvisible(id).replace(SPACES_AROUND, '');
  return [...new Set([withAsciiDigits(trimmed), trimmed, id].flatMap(spellingsOfUuid))];
}

/** A UUID in small letters, as it is stored, and as it is written: earlier releases kept capitals (S-7). */
export const spellingsOfUuid = (text: string): readonly string[] => [...new Set([lowerUuid(text), text])];

/** The id of a place in a condition: its UUID, however it is written; any other text, which names none, as it is. */
export const placeIdIn = (text: string): string => parseUuid(cleanText(text)) ?? text;

/** Decimal digits of any script as those of ASCII. */
export const withAsciiDigits = (text: string): string => text.replace(OTHER_DIGITS, digitOf);

const DIGIT = /\p{Nd}/u;
const digits = new Map<string, string>();

/** In Unicode the digits of a script follow one another, 0 first; where sets of them do, each has ten. */
function digitOf(character: string): string {
  const known = digits.get(character);
  if (known !== undefined) return known;
  const point = character.codePointAt(0) ?? 0;
  let first = point;
  while (DIGIT.test(String.fromCodePoint(first - 1))) first -= 1;
  const digit = String((point - first) % 10);
  digits.set(character, digit);
  return digit;
}
