import { COMMON_PASSWORDS } from './common-passwords.js';

/** Facts about a user that attackers try first. */
export interface KnownOf {
  readonly username?: string | undefined;
  readonly firstname?: string | undefined;
  readonly surname?: string | undefined;
  readonly email?: string | null | undefined;
  readonly mobile?: string | null | undefined;
}

/** A password may be a run of these, in either direction and repeated. */
const RUNS = [
  '0123456789',
  'abcdefghijklmnopqrstuvwxyz',
  'qwertyuiop',
  'asdfghjkl',
  'zxcvbnm',
  'qwertzuiop',
  'azertyuiop',
];

/** Frequent, a keyboard run, or one repeated piece (NIST SP 800-63B). */
export function isCommonPassword(password: string): boolean {
  const plain = folded(password);
  return COMMON_PASSWORDS.has(plain) || isRun(plain) || /^(.{1,4}?)\1+$/su.test(plain);
}

/**
 * Whether it consists of the owner's names, user name, address or number, with surrounding digits and signs. Words of
 * up to two letters are ignored.
 */
export function isOwnWord(password: string, { username, firstname, surname, email, mobile }: KnownOf): boolean {
  const plain = folded(password);
  const whole = [username, email, mobile].flatMap((text) => (text ? [folded(text)] : []));
  if (whole.includes(plain) || (mobile && digitsOf(plain) === digitsOf(mobile) && lettersOf(plain) === '')) return true;
  const words = [username, firstname, surname, email?.split('@', 1)[0]]
    .flatMap((text) => (text ? [lettersOf(folded(text)), ...folded(text).split(/\P{L}+/u)] : []))
    .filter((word) => word.length > 2);
  return isMadeOf(lettersOf(plain), words);
}

/** Stepwise, to keep it linear. */
function isMadeOf(text: string, words: readonly string[]): boolean {
  const ends = new Set([0]);
  for (let at = 0; at < text.length; at += 1) {
    if (!ends.has(at)) continue;
    for (const word of words) if (text.startsWith(word, at)) ends.add(at + word.length);
  }
  return text !== '' && ends.has(text.length);
}

const isRun = (plain: string): boolean =>
  RUNS.some((run) => {
    const twice = run + run;
    return twice.includes(plain) || twice.split('').reverse().join('').includes(plain);
  });

const folded = (text: string): string => text.normalize('NFKC').toLowerCase();
const lettersOf = (text: string): string => text.replace(/\P{L}+/gu, '');
const digitsOf = (text: string): string => text.replace(/\D+/g, '');
