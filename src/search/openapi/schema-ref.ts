import type { ReferenceObject, SchemaObject } from '@nestjs/swagger';

/** A schema where it stands, or by its name. */
export type Schema = SchemaObject | ReferenceObject;

/** A schema among the document's components. */
export const schemaRef = (name: string): ReferenceObject => ({ $ref: `#/components/schemas/${name}` });
