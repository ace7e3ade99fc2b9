import { applyDecorators } from '@nestjs/common';
import { Transform } from 'class-transformer';
import { ValidateBy } from 'class-validator';

import { parseOffsetDateTime } from '../../kernel/domain/calendar.js';

/** With `Z` or an offset, read as an `Instant`. */
export const IsOffsetDateTime = (): PropertyDecorator =>
  applyDecorators(
    Transform(({ value }: { value: unknown }) => parseOffsetDateTime(value) ?? value),
    ValidateBy({
      name: 'isOffsetDateTime',
      validator: {
        validate: (value: unknown) => parseOffsetDateTime(value) !== undefined,
        defaultMessage: () => 'must be a date-time with an offset, such as 2026-01-02T03:04:05Z or …+02:00',
      },
    }),
  );
