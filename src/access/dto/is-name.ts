import { ValidateBy } from 'class-validator';

import { isName, NAME_EXPECTED } from '../../input/is-name.js';

/** A member that is a short text with something in it; with `orNull` it may be null. */
export const IsName = ({ orNull = false }: { readonly orNull?: boolean } = {}): PropertyDecorator =>
  ValidateBy({
    name: 'isName',
    validator: {
      validate: (value: unknown) => (orNull && value === null) || isName(value),
      defaultMessage: () => `${NAME_EXPECTED}${orNull ? ', or null' : ''}`,
    },
  });
