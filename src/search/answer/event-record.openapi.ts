import type { ReferenceObject, SchemaObject } from '@nestjs/swagger';

import { ACTION_TYPES } from '../../domain/event-action.js';
import { INHERENT_FLAGS } from '../../domain/event-flag.js';
import { EVENT_STATUSES } from '../../domain/event-status.js';
import { USER_TYPES } from '../../domain/user-type.js';
import { closedObject } from '../openapi/closed-object.js';
import { schemaRef } from '../openapi/schema-ref.js';

type Schema = SchemaObject | ReferenceObject;

const text: SchemaObject = { type: 'string' };
const number: SchemaObject = { type: 'number' };
const uuid: SchemaObject = { type: 'string', format: 'uuid' };
const date: SchemaObject = { type: 'string', format: 'date' };
const instant: SchemaObject = { type: 'string', format: 'date-time', pattern: 'Z$' };
const textMap: SchemaObject = { type: 'object', additionalProperties: text };
const orNull = (schema: Schema): SchemaObject => ({ anyOf: [schema, { type: 'null' }] });
const userType: SchemaObject = { type: 'string', enum: [...USER_TYPES] };

/** A shape of the declaration: it says what is meant; a country's own keys may stand beside these. */
const shape = (
  description: string,
  properties: Record<string, Schema>,
  required = Object.keys(properties),
): SchemaObject => ({ type: 'object', description, properties, required });

const legalStatus = {
  createdAt: { ...instant, description: 'When the action request was created' },
  createdBy: { ...text, description: 'Id of the user who created the action request' },
  createdAtLocation: orNull(uuid),
  createdByUserType: orNull(userType),
  acceptedAt: { ...instant, description: 'When the action request was accepted' },
  createdByRole: orNull(text),
};

/** Interface, Declaration values. The last two hold every shape that a country adds. */
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
    ...closedObject({
      id: uuid,
      type: { ...text, description: 'Kind of event', examples: ['birth'] },
      status: { type: 'string', enum: [...EVENT_STATUSES] },
      legalStatuses: closedObject({
        DECLARED: orNull(schemaRef('LegalStatus')),
        REGISTERED: orNull(schemaRef('RegisteredStatus')),
      }),
      createdAt: { ...instant, description: 'When the event was first created and saved' },
      dateOfEvent: orNull(date),
      placeOfEvent: orNull(uuid),
      createdBy: { ...text, description: 'Id of the creating user' },
      createdByUserType: orNull(userType),
      updatedByUserRole: { ...orNull(text), description: 'Role of the user who last changed the status' },
      createdAtLocation: { ...orNull(uuid), description: 'Location of the creating user' },
      updatedAtLocation: { ...orNull(uuid), description: 'Location of the user who last changed the status' },
      updatedAt: { ...instant, description: 'Time of the most recent accepted status change' },
      assignedTo: { ...orNull(text), description: 'Id of the user currently assigned' },
      updatedBy: { ...orNull(text), description: 'Id of the user who last changed the status' },
      trackingId: { ...text, description: 'System-generated id used to look the event up', examples: ['K3PZ9A'] },
      potentialDuplicates: { type: 'array', items: closedObject({ id: uuid, trackingId: text }) },
      flags: { type: 'array', items: schemaRef('Flag') },
      declaration: {
        type: 'object',
        description: 'Field id to value, after all actions',
        additionalProperties: schemaRef('DeclarationValue'),
        examples: [{ 'child.name': { firstname: 'Chilufya', surname: 'Musonda' }, 'child.dob': '2024-02-20' }],
      },
    }),
    description: 'Event record: every key is there, null where there is no value',
  },
  LegalStatus: closedObject(legalStatus),
  RegisteredStatus: closedObject({ ...legalStatus, registrationNumber: text }),
  Flag: {
    anyOf: [
      { type: 'string', enum: [...INHERENT_FLAGS], description: 'Inherent flag' },
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
  // Not DeclarationValue again: a type that is a list of itself is more than most generators of code can write.
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
