import { applyDecorators } from '@nestjs/common';
import { Transform } from 'class-transformer';
import { ValidateBy } from 'class-validator';

/** A query member in decimal digits only. */
export const IsWholeNumber = (least: number, most: number): PropertyDecorator =>
  applyDecorators(
    Transform(({ value }: { value: unknown }) =>
      typeof value === 'string' && /^\d+$/.test(value) ? Number(value) : value,
    ),
    ValidateBy({
      name: 'isWholeNumber',
      validator: {
        validate: (value: unknown) => Number.isInteger(value) && Number(value) >= least && Number(value) <= most,
        defaultMessage: () => `must be a whole number from ${least} to ${most}`,
      },
    }),
  );
