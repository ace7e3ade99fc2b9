import { applyDecorators } from '@nestjs/common';
import { Transform } from 'class-transformer';
import { isEmail, ValidateBy } from 'class-validator';

import { isVisible } from '../../kernel/domain/visible-text.js';
import { isWellFormedText } from '../../kernel/domain/well-formed-text.js';

/** Longer text is not looked at. */
const LONGEST = 512;

interface Options {
  readonly orNull?: boolean;
}

/** A member of a user that is a text of a kind, read in NFC; with `orNull` it may be null. */
const isTextThat =
  (name: string, isSound: (value: string) => boolean, expected: string) =>
  ({ orNull = false }: Options = {}): PropertyDecorator =>
    applyDecorators(
      Transform(({ value }: { value: unknown }) =>
        typeof value === 'string' && value.length <= LONGEST ? value.normalize('NFC') : value,
      ),
      ValidateBy({
        name,
        validator: {
          validate: (value: unknown) =>
            (orNull && value === null) ||
            (typeof value === 'string' && value.length <= LONGEST && isWellFormedText(value) && isSound(value)),
          defaultMessage: () => `${expected}${orNull ? ', or null' : ''}`,
        },
      }),
    );

/** How OpenAPI describes the members. */
export const USERNAME = {
  minLength: 1,
  maxLength: 64,
  description:
    'Letters, digits, `.`, `_`, `@`, `+`, apostrophe and `-`; unique regardless of letter case, and unlike any other to the eye',
} as const;
/** The same of `email`. */
export const EMAIL = {
  minLength: 3,
  maxLength: 254,
  description: 'An e-mail address, international ones too; unique regardless of letter case',
} as const;
/** The same of `mobile`. */
export const MOBILE = { pattern: '^\\+?[0-9]{4,20}$', description: 'Unique' } as const;

/** A member that can be a user name (U-6); it is kept in NFC. */
export const IsUsername = isTextThat(
  'isUsername',
  (value) => /^[\p{L}\p{M}\p{N}._@+'-]{1,64}$/u.test(value) && isVisible(value),
  "must be 1 to 64 letters, digits, `.`, `_`, `@`, `+`, `'` and `-`, one of them visible",
);

/** A member that can be an e-mail address. */
export const IsEmailAddress = isTextThat('isEmailAddress', (value) => isEmail(value), 'must be an e-mail address');

/** A member that can be the number of a mobile telephone. */
export const IsMobile = isTextThat(
  'isMobile',
  (value) => new RegExp(MOBILE.pattern).test(value),
  'must be 4 to 20 digits, which a `+` may precede',
);
