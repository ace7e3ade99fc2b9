import type { ArgumentMetadata, PipeTransform } from '@nestjs/common';
import { Injectable } from '@nestjs/common';

import { isDto, readDto } from '../../access/dto/read-dto.js';
import { readQuery } from '../../access/dto/read-query.js';

/**
 * Reads bodies and query strings that are DTOs, with class-validator and class-transformer; leaves others to their
 * routes.
 */
@Injectable()
export class RequestValidationPipe implements PipeTransform {
  transform(value: unknown, { metatype, type }: ArgumentMetadata): unknown {
    if (!isDto(metatype)) return value;
    return type === 'query' ? readQuery(metatype, value) : readDto(metatype, value);
  }
}
