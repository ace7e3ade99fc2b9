import { ValidateBy } from 'class-validator';

import { isWellFormedText, WELL_FORMED_TEXT } from '../../kernel/domain/well-formed-text.js';

/** Text that Postgres can hold. */
export const IsText = (): PropertyDecorator =>
  ValidateBy({
    name: 'isText',
    validator: {
      validate: (value: unknown) => typeof value === 'string' && isWellFormedText(value),
      defaultMessage: (given) => (typeof given?.value === 'string' ? WELL_FORMED_TEXT : 'must be a string'),
    },
  });
