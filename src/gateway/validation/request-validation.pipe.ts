import type { ArgumentMetadata, PipeTransform } from '@nestjs/common';
import { Injectable } from '@nestjs/common';

import { isDto, readDto } from '../../access/dto/read-dto.js';

/**
 * Reads bodies and query strings that are DTOs, with class-validator and class-transformer; leaves others to their
 * routes.
 */
@Injectable()
export class RequestValidationPipe implements PipeTransform {
  transform(value: unknown, { metatype }: ArgumentMetadata): unknown {
    return isDto(metatype) ? readDto(metatype, value) : value;
  }
}
