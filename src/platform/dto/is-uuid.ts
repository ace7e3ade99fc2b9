import { applyDecorators } from '@nestjs/common';
import { Transform } from 'class-transformer';
import { ValidateBy } from 'class-validator';

import { parseUuid } from '../../kernel/domain/uuid.js';

/** A member that is a UUID in any letter case, read in lower case; with `orNull` it may be null. */
export const IsUuid = ({ orNull = false }: { readonly orNull?: boolean } = {}): PropertyDecorator =>
  applyDecorators(
    Transform(({ value }: { value: unknown }) => parseUuid(value) ?? value),
    ValidateBy({
      name: 'isUuid',
      validator: {
        validate: (value: unknown) => parseUuid(value) !== undefined || (orNull && value === null),
        defaultMessage: () => `must be a UUID${orNull ? ' or null' : ''}`,
      },
    }),
  );
