import { ApiParam } from '@nestjs/swagger';

import { uuid } from '../../platform/openapi/value-schemas.js';

/** The route answers 400 or 404 to anything else. */
export const UuidParam = (name: string): MethodDecorator => ApiParam({ name, schema: uuid });
