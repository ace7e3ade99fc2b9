import { lowerUuid, parseUuid } from './uuid.js';

const CLEAN = /^(?:[!-~]+(?: [!-~]+)*)?$/;
const INVISIBLE = /\p{Default_Ignorable_Code_Point}/gu;
const SPACES = /\p{White_Space}+/gu;
const AROUND = /^ | $/g;
const SPACES_AROUND = /^\p{White_Space}+|(?<!\p{White_Space})\p{White_Space}+$/gu;
const OTHER_DIGITS = /(?![0-9])\p{Nd}/gu;

/**
 * Normalizes a text for comparison (S-7, S-10): no invisible characters, single spaces, none at the ends, ASCII digits.
 * Idempotent.
 */
export function cleanText(text: string): string {
  if (CLEAN.test(text)) return text;
  return withAsciiDigits(withoutInvisible(text).replace(SPACES, ' ').replace(AROUND, ''));
}

export const withoutInvisible = (text: string): string => text.replace(INVISIBLE, '');

/** The compared spellings of an id: trimmed, with ASCII digits, and as written (S-7). */
export function spellingsOfId(id: string): readonly string[] {
  if (CLEAN.test(id)) return spellingsOfUuid(id);
  const trimmed = withoutInvisible(id).replace(SPACES_AROUND, '');
  return [...new Set([withAsciiDigits(trimmed), trimmed, id].flatMap(spellingsOfUuid))];
}

/** A UUID in lower case, as it is stored, and as written: earlier releases kept capitals (S-7). */
export const spellingsOfUuid = (text: string): readonly string[] => [...new Set([lowerUuid(text), text])];

/** The UUID of a place in a condition; any other text, which names none, unchanged. */
export const placeIdIn = (text: string): string => parseUuid(cleanText(text)) ?? text;

export const withAsciiDigits = (text: string): string => text.replace(OTHER_DIGITS, digitOf);

const DIGIT = /\p{Nd}/u;
const digits = new Map<string, string>();

/** In Unicode the digits of a script are consecutive, 0 first; sets have ten each. */
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
