import { applyDecorators } from '@nestjs/common';
import { Transform } from 'class-transformer';
import { IsObject } from 'class-validator';

/** A member of a query string that is a cursor; `read` yields undefined for text that no answer gave out. */
export const IsCursor = (read: (text: string) => object | undefined): PropertyDecorator =>
  applyDecorators(
    Transform(({ value }: { value: unknown }) => (typeof value === 'string' ? (read(value) ?? value) : value)),
    IsObject({ message: 'must be one that an answer gave out' }),
  );
