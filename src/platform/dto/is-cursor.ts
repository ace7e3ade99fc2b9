import { applyDecorators } from '@nestjs/common';
import { Transform } from 'class-transformer';
import { IsObject } from 'class-validator';

/** A query member; `read` returns undefined for text that no answer issued. */
export const IsCursor = (read: (text: string) => object | undefined): PropertyDecorator =>
  applyDecorators(
    Transform(({ value }: { value: unknown }) => (typeof value === 'string' ? (read(value) ?? value) : value)),
    IsObject({ message: 'must be one that an answer gave out' }),
  );
