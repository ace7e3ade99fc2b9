import { applyDecorators } from '@nestjs/common';
import { Transform } from 'class-transformer';
import { ValidateBy } from 'class-validator';

import { parseUuid } from '../../kernel/domain/uuid.js';
import { Repeatable } from './members.js';

/** A query member: UUIDs repeated, comma-separated, or both. */
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
