import type { ReferenceObject } from '@nestjs/swagger';

/** A schema among the document's components. */
export const schemaRef = (name: string): ReferenceObject => ({ $ref: `#/components/schemas/${name}` });
