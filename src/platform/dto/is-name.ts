import { ValidateBy } from 'class-validator';

import { isName, NAME_EXPECTED } from '../../kernel/input/is-name.js';

interface Options {
  readonly orNull?: boolean;
  readonly orEmpty?: boolean;
}

/** A member that is a short text of which something shows; it may be null or empty where the options say so. */
export const IsName = ({ orNull = false, orEmpty = false }: Options = {}): PropertyDecorator =>
  ValidateBy({
    name: 'isName',
    validator: {
      validate: (value: unknown) => (orNull && value === null) || (orEmpty && value === '') || isName(value),
      defaultMessage: () => `${NAME_EXPECTED}${orNull ? ', or null' : ''}${orEmpty ? ', or empty' : ''}`,
    },
  });
