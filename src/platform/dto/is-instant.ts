import { applyDecorators } from '@nestjs/common';
import { Transform } from 'class-transformer';
import { ValidateBy } from 'class-validator';

import { parseDateTime } from '../../kernel/domain/calendar.js';

/** UTC, read to the millisecond as an `Instant`. */
export const IsInstant = (): PropertyDecorator =>
  applyDecorators(
    Transform(({ value }: { value: unknown }) => parseDateTime(value)?.instant ?? value),
    ValidateBy({
      name: 'isInstant',
      validator: {
        validate: (value: unknown) => parseDateTime(value) !== undefined,
        defaultMessage: () => 'must be a date-time in UTC such as 2026-01-02T03:04:05Z',
      },
    }),
  );
