import type { SchemaObject } from '@nestjs/swagger';
import { closedObject, type Schema } from '../../../platform/openapi/closed-object.js';
import { instant, text, uuid } from '../../../platform/openapi/value-schemas.js';
import { ACTION_TYPES } from '../../../kernel/domain/event-action.js';
import { INHERENT_FLAGS } from '../../../kernel/domain/event-flag.js';
import {
  type Field,
  type Fields,
  LEGAL_STATUS_FIELDS,
  type LegalStatuses,
  POTENTIAL_DUPLICATE_FIELDS,
  RECORD_FIELDS,
  REGISTERED_STATUS_FIELDS,
} from '../../../kernel/domain/event-record.js';
import { EVENT_STATUSES } from '../../../kernel/domain/event-status.js';
import { USER_TYPES } from '../../../kernel/domain/user-type.js';
import { schemaRef } from '../request/schema-ref.js';
import { oneOf } from '../request/text-schema.js';

const number: SchemaObject = { type: 'number' };
const date: SchemaObject = { type: 'string', format: 'date' };
const textMap: SchemaObject = { type: 'object', additionalProperties: text };
const orNull = (schema: Schema): SchemaObject => ({ anyOf: [schema, { type: 'null' }] });

/** A shape of the declaration. It is documentation; a country's own keys may be beside these. */
const shape = (
  description: string,
  properties: Record<string, Schema>,
  required = Object.keys(properties),
): SchemaObject => ({ type: 'object', description, properties, required });

/** Interface, Declaration values. The last two cover every shape that a country adds. */
const DECLARATION_SHAPES: Record<string, SchemaObject> = {
  DomesticAddress: shape(
    'Address in the country',
    {
      country: text,
      addressType: { type: 'string', enum: ['DOMESTIC'] },
      administrativeArea: uuid,
      streetLevelDetails: textMap,
    },
    ['country', 'addressType', 'administrativeArea'],
  ),
  InternationalAddress: shape(
    'Address abroad',
    { country: text, addressType: { type: 'string', enum: ['INTERNATIONAL'] }, streetLevelDetails: textMap },
    ['country', 'addressType'],
  ),
  PersonName: shape('Name', { firstname: text, surname: text, middlename: text }, ['firstname', 'surname']),
  Age: shape('Age', { age: number, asOfDateRef: text }),
  DatePeriod: shape('Date range; the start is included, the end is not', { start: date, end: date }),
  StoredFile: shape(
    'File; `path` is relative to the storage bucket',
    { path: text, originalFilename: text, type: text, option: text },
    ['path', 'originalFilename', 'type'],
  ),
  Quantity: shape('Quantity', { numericValue: number, unit: text }),
  LabelledValue: shape('Label and value', { label: text, value: text }),
  RequestState: shape(
    'State of a request that a form made',
    {
      loading: { type: 'boolean' },
      error: shape('Why it failed', { statusCode: number, message: text }),
      data: schemaRef('DeclarationValue'),
    },
    ['loading'],
  ),
  DataHolder: shape('Data that was fetched', { data: schemaRef('DeclarationValue'), updatedAt: instant }, ['data']),
  DeclarationList: { type: 'array', description: 'List', items: schemaRef('DeclarationListMember') },
  DeclarationGroup: {
    type: 'object',
    description: 'Nested group',
    additionalProperties: schemaRef('DeclarationValue'),
  },
};

/** A record as a search returns it: every key is there, null where there is no value (S-13). */
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
  DeclarationValue: {
    anyOf: [text, number, { type: 'boolean' }, ...Object.keys(DECLARATION_SHAPES).map(schemaRef)],
    description:
      'Text, a date `YYYY-MM-DD`, a time `HH:MM`, a time period, a verification status, a number, a boolean, or one of the shapes; never null',
  },
  // Not DeclarationValue again: most code generators cannot write a type that is a list of itself.
  DeclarationListMember: {
    anyOf: [
      text,
      number,
      { type: 'boolean' },
      ...Object.keys(DECLARATION_SHAPES)
        .filter((name) => name !== 'DeclarationList')
        .map(schemaRef),
      { type: 'array', description: 'List in a list', items: { not: { type: 'null' } } },
    ],
    description: 'As DeclarationValue',
  },
  ...DECLARATION_SHAPES,
};

/** An object with the fields of a table, all of them required. */
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
        additionalProperties: schemaRef('DeclarationValue'),
        examples: [{ 'child.name': { firstname: 'Chilufya', surname: 'Musonda' }, 'child.dob': '2024-02-20' }],
      };
  }
}
