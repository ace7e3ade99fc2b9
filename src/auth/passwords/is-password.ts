import { ValidateBy } from 'class-validator';

import { isWellFormedText } from '../../domain/well-formed-text.js';

/** The length of a password in characters (NIST SP 800-63B 3.1.1.2, with a second factor). */
export const PASSWORD_LENGTH = { least: 8, most: 256 } as const;

/** A member that can be a password. Its fault does not repeat it. */
export const IsPassword = (): PropertyDecorator =>
  ValidateBy({ name: 'isPassword', validator: { validate: isPassword, defaultMessage: () => MESSAGE } });

const MESSAGE = `must be text of ${PASSWORD_LENGTH.least} to ${PASSWORD_LENGTH.most} characters`;

const isPassword = (value: unknown): boolean =>
  typeof value === 'string' &&
  isWellFormedText(value) &&
  Array.from(value).length >= PASSWORD_LENGTH.least &&
  value.length <= PASSWORD_LENGTH.most;
