import { applyDecorators } from '@nestjs/common';
import { Transform } from 'class-transformer';
import { ValidateBy } from 'class-validator';

import { parseUuid } from '../../kernel/domain/uuid.js';
import { Repeatable } from './members.js';

/** A member of a query string that is a list of UUIDs, given repeatedly, with commas between them, or both. */
export const IsUuidList = (): PropertyDecorator =>
  applyDecorators(
    Repeatable(),
    Transform(({ value }: { value: unknown }) =>
      (Array.isArray(value) ? value : [value]).flatMap((part: unknown) =>
        typeof part === 'string' ? part.split(',').map((text) => parseUuid(text) ?? text) : [part],
      ),
    ),
    ValidateBy({
      name: 'isUuidList',
      validator: {
        validate: (value: unknown) => Array.isArray(value) && value.every((item) => parseUuid(item) !== undefined),
        defaultMessage: () => 'must be UUIDs, repeated or with commas between them',
      },
    }),
  );
