import { createRequire } from 'node:module';
import { applyDecorators } from '@nestjs/common';
import { isEmail } from 'class-validator';
import { isVisible, isWellFormedText } from '../../kernel/domain/text.js';
import { isLongerThan, isObject, isTextWithin } from '../../kernel/input/checks.js';
import { Checked, ReadBy } from '../../platform/dto/members.js';

/** Frequent passwords of eight or more characters, in lower case, from published lists and this domain. */
const LISTED = createRequire(import.meta.url)('./common-passwords.json') as readonly string[];

const COMMON_PASSWORDS: ReadonlySet<string> = new Set(LISTED.flatMap((line) => line.split(' ')));

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
function isCommonPassword(password: string): boolean {
  const plain = folded(password);
  return COMMON_PASSWORDS.has(plain) || isRun(plain) || /^(.{1,4}?)\1+$/su.test(plain);
}

/** Made of the owner's names, address or number, with digits and signs around; short words are ignored. */
function isOwnWord(password: string, { username, firstname, surname, email, mobile }: KnownOf): boolean {
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

/** In characters (NIST SP 800-63B 3.1.1.2, with a second factor). */
export const PASSWORD_LENGTH = { least: 8, most: 256 } as const;

/** The error does not repeat the password. */
export const IsPassword = (): PropertyDecorator =>
  Checked(
    'isPassword',
    (value, given) => faultOfPassword(value, given && knownOf(given.object)) === undefined,
    (given) => faultOfPassword(given?.value, given && knownOf(given.object)) ?? '',
  );

export function faultOfPassword(value: unknown, owner: KnownOf = {}): string | undefined {
  if (!hasLength(value)) return `must be text of ${PASSWORD_LENGTH.least} to ${PASSWORD_LENGTH.most} characters`;
  if (isCommonPassword(value)) return 'is one of the passwords that are tried first';
  return isOwnWord(value, owner) ? 'is made of the names of its owner, which are tried first' : undefined;
}

const hasLength = (value: unknown): value is string =>
  isTextWithin(value, PASSWORD_LENGTH.most) && isLongerThan(value, PASSWORD_LENGTH.least - 1);

function knownOf(body: object): KnownOf {
  const { username, name, email, mobile } = body as Readonly<Record<string, unknown>>;
  const { firstname, surname } = isObject(name) ? name : {};
  const text = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);
  return {
    username: text(username),
    firstname: text(firstname),
    surname: text(surname),
    email: text(email),
    mobile: text(mobile),
  };
}

const LONGEST = 512;

interface Options {
  readonly orNull?: boolean;
}

/** Validates the text in NFC; `orNull` permits null. */
const isTextThat =
  (name: string, isSound: (value: string) => boolean, expected: string) =>
  ({ orNull = false }: Options = {}): PropertyDecorator =>
    applyDecorators(
      ReadBy((value) => (typeof value === 'string' && value.length <= LONGEST ? value.normalize('NFC') : value)),
      Checked(
        name,
        (value) =>
          (orNull && value === null) ||
          (typeof value === 'string' && value.length <= LONGEST && isWellFormedText(value) && isSound(value)),
        `${expected}${orNull ? ', or null' : ''}`,
      ),
    );

export const USERNAME = {
  minLength: 1,
  maxLength: 64,
  description:
    'Letters, digits, `.`, `_`, `@`, `+`, apostrophe and `-`; unique regardless of letter case, and unlike any other to the eye',
} as const;
export const EMAIL = {
  minLength: 3,
  maxLength: 254,
  description: 'An e-mail address, international ones too; unique regardless of letter case',
} as const;
export const MOBILE = { pattern: '^\\+?[0-9]{4,20}$', description: 'Unique' } as const;

/** A user name (U-6), normalized to NFC. */
export const IsUsername = isTextThat(
  'isUsername',
  (value) => /^[\p{L}\p{M}\p{N}._@+'-]{1,64}$/u.test(value) && isVisible(value),
  "must be 1 to 64 letters, digits, `.`, `_`, `@`, `+`, `'` and `-`, one of them visible",
);

export const IsEmailAddress = isTextThat('isEmailAddress', (value) => isEmail(value), 'must be an e-mail address');

export const IsMobile = isTextThat(
  'isMobile',
  (value) => new RegExp(MOBILE.pattern).test(value),
  'must be 4 to 20 digits, which a `+` may precede',
);
