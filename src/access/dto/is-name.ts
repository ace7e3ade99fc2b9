import { ValidateBy } from 'class-validator';

import { isWellFormedText } from '../../domain/well-formed-text.js';
import { isLongerThan } from '../../input/is-longer-than.js';

const LONGEST = 256;

/** A member that is a short text with something in it; with `orNull` it may be null. */
export const IsName = ({ orNull = false }: { readonly orNull?: boolean } = {}): PropertyDecorator =>
  ValidateBy({
    name: 'isName',
    validator: {
      validate: (value: unknown) => (orNull && value === null) || isName(value),
      defaultMessage: () =>
        `must be text of 1 to ${LONGEST} characters without U+0000 and without unpaired surrogates${orNull ? ', or null' : ''}`,
    },
  });

const isName = (value: unknown): boolean =>
  typeof value === 'string' && value.trim() !== '' && !isLongerThan(value, LONGEST) && isWellFormedText(value);
