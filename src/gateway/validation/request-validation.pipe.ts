import type { ArgumentMetadata } from '@nestjs/common';
import { Injectable, ValidationPipe } from '@nestjs/common';

import { Faults, INVALID_INPUT } from '../../errors/faults.js';
import { ServiceError } from '../../errors/service-error.js';
import { addValidationFaults } from './validation-faults.js';
import { addReservedKeyFaults, isObject } from './reserved-keys.js';

/** Validates bodies that are DTOs, with one issue per fault (G-4); a key that the DTO does not know is a fault. */
@Injectable()
export class RequestValidationPipe extends ValidationPipe {
  constructor() {
    super({
      transform: true,
      whitelist: true,
      forbidNonWhitelisted: true,
      // Whether a member is an array's, and whether it is missing, can be told with them alone.
      validationError: { target: true, value: true },
      exceptionFactory: (errors) => {
        const faults = new Faults();
        addValidationFaults(faults, errors);
        return new ServiceError('BAD_REQUEST', INVALID_INPUT, { issues: faults.issues });
      },
    });
  }

  override async transform(value: unknown, metadata: ArgumentMetadata): Promise<unknown> {
    if (metadata.type === 'body' && this.toValidate(metadata)) {
      const faults = new Faults();
      if (isObject(value)) addReservedKeyFaults(faults, value);
      else faults.add('', value === undefined ? 'is required' : 'must be an object');
      faults.throwIfAny();
    }
    const transformed: unknown = await super.transform(value, metadata);
    return transformed;
  }
}
