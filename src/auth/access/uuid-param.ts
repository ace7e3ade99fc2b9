import { ApiParam } from '@nestjs/swagger';

import { uuid } from '../../platform/openapi/value-schemas.js';

/** Describes a parameter of the path that is a UUID: the route answers 400 or 404 to anything else. */
export const UuidParam = (name: string): MethodDecorator => ApiParam({ name, schema: uuid });
