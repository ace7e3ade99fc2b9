import { applyDecorators } from '@nestjs/common';
import { Transform } from 'class-transformer';
import { ValidateBy } from 'class-validator';

import { parseUuid } from '../../kernel/domain/uuid.js';

/** Any letter case, read in lower case; `orNull` permits null. */
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
