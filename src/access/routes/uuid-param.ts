import { ApiParam } from '@nestjs/swagger';

/** Describes a parameter of the path that is a UUID: the route answers 400 or 404 to anything else. */
export const UuidParam = (name: string): MethodDecorator =>
  ApiParam({ name, schema: { type: 'string', format: 'uuid' } });
