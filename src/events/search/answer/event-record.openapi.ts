import type { SchemaObject } from '@nestjs/swagger';
import { closedObject, instant, type Schema, text, uuid } from '../../../platform/dto/schemas.js';
import { ACTION_TYPES } from '../../../kernel/domain/event-action.js';
import {
  EVENT_STATUSES,
  type Field,
  type Fields,
  INHERENT_FLAGS,
  LEGAL_STATUS_FIELDS,
  type LegalStatuses,
  POTENTIAL_DUPLICATE_FIELDS,
  RECORD_FIELDS,
  REGISTERED_STATUS_FIELDS,
  USER_TYPES,
} from '../../../kernel/domain/event-record.js';
import { oneOf, schemaRef } from '../request/schemas.js';

const date: SchemaObject = { type: 'string', format: 'date' };
const orNull = (schema: Schema): SchemaObject => ({ anyOf: [schema, { type: 'null' }] });

/** Prose alone: many generators cannot write a recursive type. */
const DECLARATION_VALUE: SchemaObject = {
  description: `Any JSON but null: text, a date \`YYYY-MM-DD\`, a time \`HH:MM\`, a number, a boolean, a list or an object,
such as a name with any of \`firstname\`, \`surname\` and \`middlename\`; an address with \`country\`, \`addressType\`
(\`DOMESTIC\` or \`INTERNATIONAL\`), \`administrativeArea\` and \`streetLevelDetails\`; an age \`{age, asOfDateRef}\`;
a period \`{start, end}\`, without its end; a file \`{path, originalFilename, type}\`; a quantity
\`{numericValue, unit}\`; \`{label, value}\`; \`{loading, error, data}\`; \`{data, updatedAt}\``,
};

/** Every key is present, null where there is no value (S-13). */
export const EVENT_RECORD_SCHEMAS: Record<string, SchemaObject> = {
  EventRecord: {
    ...objectOf(RECORD_FIELDS),
    description: 'Event record: every key is there, null where there is no value',
  },
  LegalStatus: objectOf(LEGAL_STATUS_FIELDS),
  RegisteredStatus: objectOf(REGISTERED_STATUS_FIELDS),
  Flag: {
    anyOf: [
      { ...oneOf(INHERENT_FLAGS), description: 'Inherent flag' },
      {
        type: 'string',
        pattern: `^(${ACTION_TYPES.join('|').toLowerCase()}):(requested|accepted|rejected)$`,
        description: 'Action and outcome',
      },
      { type: 'string', description: 'Flag of the country configuration' },
    ],
    examples: ['incomplete', 'register:requested'],
  },
};

function objectOf(fields: Fields): SchemaObject {
  return closedObject(Object.fromEntries(Object.entries(fields).map(([key, field]) => [key, schemaOf(field)])));
}

function schemaOf({ kind, isNullable, description, example }: Field): Schema {
  return {
    ...(isNullable ? orNull(schemaOfKind(kind)) : schemaOfKind(kind)),
    ...(description !== undefined && { description }),
    ...(example !== undefined && { examples: [example] }),
  };
}

function schemaOfKind(kind: Field['kind']): Schema {
  switch (kind) {
    case 'uuid':
      return uuid;
    case 'instant':
      return instant;
    case 'date':
      return date;
    case 'name':
    case 'text':
      return text;
    case 'userType':
      return oneOf(USER_TYPES);
    case 'status':
      return oneOf(EVENT_STATUSES);
    case 'legalStatuses':
      return closedObject({
        DECLARED: orNull(schemaRef('LegalStatus')),
        REGISTERED: orNull(schemaRef('RegisteredStatus')),
      } satisfies Record<keyof LegalStatuses, Schema>);
    case 'potentialDuplicates':
      return { type: 'array', items: objectOf(POTENTIAL_DUPLICATE_FIELDS) };
    case 'flags':
      return { type: 'array', items: schemaRef('Flag') };
    case 'declaration':
      return {
        type: 'object',
        description: 'Field id to value, after all actions',
        additionalProperties: DECLARATION_VALUE,
        examples: [{ 'child.name': { firstname: 'Chilufya', surname: 'Musonda' }, 'child.dob': '2024-02-20' }],
      };
  }
}
