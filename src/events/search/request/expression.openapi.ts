import type { SchemaObject } from '@nestjs/swagger';
import { SEARCHED_FIELDS } from '../../../kernel/domain/searched-fields.js';
import { closedObject, type Schema } from '../../../platform/openapi/closed-object.js';
import { schemaRef } from './schema-ref.js';
import { TEXT_SCHEMA as text } from './text-schema.js';
import { EXPRESSION_KEYS, type ExpressionKey } from './expression-keys.js';

type TextFieldRow = Extract<(typeof SEARCHED_FIELDS)[keyof typeof SEARCHED_FIELDS], { readonly on: 'text' }>;

/** The keys of an expression and their conditions. */
export const EXPRESSION_SCHEMA: SchemaObject = closedObject(
  Object.fromEntries(EXPRESSION_KEYS.map((key) => [key, conditionOf(key)])),
  {
    minProperties: 1,
    description: 'Conditions that must all hold',
    examples: [{ eventType: 'birth', status: { type: 'exact', term: 'REGISTERED' } }],
  },
);

function conditionOf(key: ExpressionKey): Schema {
  if (key === 'flags') return schemaRef('FlagsCondition');
  if (key === 'data') return schemaRef('QueryInput');
  const field = SEARCHED_FIELDS[key];
  switch (field.on) {
    case 'text':
      return textConditionOf(field);
    case 'instant':
      return schemaRef('DateCondition');
    case 'location':
      return field.search.accepts === 'within or exact'
        ? { anyOf: [schemaRef('Within'), schemaRef('Exact')] }
        : { anyOf: [schemaRef('Within'), { type: 'null' }], description: 'null sets no condition' };
  }
}

function textConditionOf({ name, condition, kind, example, search: { accepts } }: TextFieldRow): Schema {
  if (accepts === 'plain') {
    if (name === condition) return text;
    return {
      ...text,
      description: `The \`${name}\` of the record`,
      ...(example !== undefined && { examples: [example] }),
    };
  }
  const of = kind === 'status' ? 'Status' : kind === 'userType' ? 'UserType' : '';
  const schemas = accepts.map((type) => schemaRef(`${of}${type === 'exact' ? 'Exact' : 'AnyOf'}`));
  const [only, ...others] = schemas;
  return only !== undefined && others.length === 0 ? only : { anyOf: schemas };
}
