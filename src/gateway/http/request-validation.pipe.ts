import { type ArgumentMetadata, Injectable, type PipeTransform } from '@nestjs/common';
import { isDto, readDto, readQuery } from '../../platform/dto/read-dto.js';

/**
 * Reads bodies, forms and query strings that are DTOs, with class-validator and class-transformer; leaves others to their
 * routes.
 */
@Injectable()
export class RequestValidationPipe implements PipeTransform {
  transform(value: unknown, { metatype, type }: ArgumentMetadata): unknown {
    if (!isDto(metatype)) return value;
    if (value instanceof URLSearchParams) return readQuery(metatype, membersOf(value));
    return type === 'query' ? readQuery(metatype, value) : readDto(metatype, value);
  }
}

/** The parameters of a form, as a query string has them: one that is given more than once is a list. */
const membersOf = (form: URLSearchParams): object =>
  Object.fromEntries(
    [...new Set(form.keys())].map((name) => {
      const values = form.getAll(name);
      return [name, values.length > 1 ? values : values[0]];
    }),
  );
