import unhomoglyph from 'unhomoglyph';
import { lowerUuid, parseUuid } from './uuid.js';

/**
 * Compares by code point, as PostgreSQL's `collate "C"` in UTF-8. JavaScript compares UTF-16 units, which differs from
 * U+10000 on.
 */
export function byCodePoint(left: string, right: string): number {
  const shared = Math.min(left.length, right.length);
  for (let at = 0; at < shared; at++) {
    const [one, other] = [left.charCodeAt(at), right.charCodeAt(at)];
    if (one !== other) return rankOf(one) - rankOf(other);
  }
  return left.length - right.length;
}

/** Surrogates come after all other units. */
const rankOf = (unit: number): number => (unit >= 0xd800 && unit <= 0xdfff ? unit + 0x10000 : unit);

/** White space and default-ignorable characters (zero-width space, soft hyphen, directional marks). */
const UNSEEN_ENDS = /^[\s\p{Default_Ignorable_Code_Point}]+|[\s\p{Default_Ignorable_Code_Point}]+$/gu;
/** U+2800 is a blank, but not white space. */
const SEEN = /[^\s\p{Cc}\p{Default_Ignorable_Code_Point}\u2800]/u;

export const isVisible = (text: string): boolean => SEEN.test(text);

/** Keyboards and copying add these at both ends (S-7, U-6). */
export const trimmed = (text: string): string => text.replace(UNSEEN_ENDS, '');

/** Postgres stores neither U+0000 nor unpaired surrogates; such input gets a 400 instead of a database error. */
export const isWellFormedText = (text: string): boolean => !text.includes('\u0000') && text.isWellFormed();

export const WELL_FORMED_TEXT = 'must be text without U+0000 and without unpaired surrogates';

const CLEAN = /^(?:[!-~]+(?: [!-~]+)*)?$/;
const INVISIBLE = /\p{Default_Ignorable_Code_Point}+/gu;
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

/**
 * The case-insensitive key of a user name (U-6). Both mappings cover letters with two small forms (`ς`, `σ`); lower
 * case comes first, since `ẞ` stays itself in capitals and `ß` becomes `SS`.
 */
export const usernameKey = (username: string): string =>
  username.normalize('NFC').toLowerCase().toUpperCase().toLowerCase().normalize('NFC');

/** Equal for look-alike names (UTS 39, section 4), case-folded. Stored: a new table version needs a migration. */
export const usernameSkeleton = (username: string): string =>
  unhomoglyph(withoutInvisible(usernameKey(username).normalize('NFD'))).normalize('NFD');
