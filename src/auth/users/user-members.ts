import { applyDecorators } from '@nestjs/common';
import { Transform } from 'class-transformer';
import { isEmail, ValidateBy } from 'class-validator';
import { isVisible, isWellFormedText } from '../../kernel/domain/text.js';

/** Longer text is not examined. */
const LONGEST = 512;

interface Options {
  readonly orNull?: boolean;
}

/** Validates the text in NFC; `orNull` permits null. */
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
