import type { SchemaObject } from '@nestjs/swagger';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';

/** What is wrong with a value under a schema of the document, by its name; empty when nothing is. */
export type Validate = (schema: string, value: unknown) => readonly string[];

/** A validator of JSON Schema 2020-12, which OpenAPI 3.1 builds on, over the components of a document. */
export function schemaValidator(schemas: Readonly<Record<string, SchemaObject>>): Validate {
  const ajv = new Ajv2020({ strict: true, allowUnionTypes: true, allErrors: true });
  addFormats.default(ajv);
  ajv.addKeyword('components');
  ajv.addSchema({ $id: 'document', components: { schemas } }, 'document', false, false);
  return (schema, value) => {
    const validate = ajv.getSchema(`document#/components/schemas/${schema}`);
    if (validate === undefined) throw new Error(`no schema ${schema}`);
    if (validate(value) === true) return [];
    return (validate.errors ?? []).map((fault) => `${fault.instancePath} ${fault.message ?? ''}`);
  };
}
