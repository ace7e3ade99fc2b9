import { ValidateBy } from 'class-validator';

import { isName, NAME_EXPECTED } from '../../kernel/input/is-name.js';

interface Options {
  readonly orNull?: boolean;
  readonly orEmpty?: boolean;
}

/** Short visible text; null or empty by option. */
export const IsName = ({ orNull = false, orEmpty = false }: Options = {}): PropertyDecorator =>
  ValidateBy({
    name: 'isName',
    validator: {
      validate: (value: unknown) => (orNull && value === null) || (orEmpty && value === '') || isName(value),
      defaultMessage: () => `${NAME_EXPECTED}${orNull ? ', or null' : ''}${orEmpty ? ', or empty' : ''}`,
    },
  });
