import type { ReferenceObject } from '@nestjs/swagger';

export const schemaRef = (name: string): ReferenceObject => ({ $ref: `#/components/schemas/${name}` });
