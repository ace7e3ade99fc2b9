import { ValidateBy } from 'class-validator';
import { isLongerThan, isObject, isTextWithin } from '../../kernel/input/checks.js';
import { isCommonPassword, isOwnWord, type KnownOf } from './guessed-first.js';

/** In characters (NIST SP 800-63B 3.1.1.2, with a second factor). */
export const PASSWORD_LENGTH = { least: 8, most: 256 } as const;

/** The error does not repeat the password. */
export const IsPassword = (): PropertyDecorator =>
  ValidateBy({
    name: 'isPassword',
    validator: {
      validate: (value, given) => faultOfPassword(value, given && knownOf(given.object)) === undefined,
      defaultMessage: (given) => faultOfPassword(given?.value, given && knownOf(given.object)) ?? '',
    },
  });

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
