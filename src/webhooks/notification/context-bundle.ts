import { type Instant, parseCalendarDate } from '../../kernel/domain/calendar.js';
import type { Declaration, EventRecord } from '../../kernel/domain/event-record.js';
import { derivedUuid } from '../../kernel/domain/uuid.js';
import {
  compositionOf,
  CONTEXT_MAPPINGS,
  type ContextInput,
  type ContextMapping,
  nonEmpty,
  PERSON_IDENTIFIERS,
  type PersonMapping,
  specification,
  textField,
} from './context-mapping.js';
import { documentReferencesOf } from './document-references-of.js';
import type { CodeableConcept, ContextBundle, Extension, HumanName, Patient, PatientIdentifier, Task } from './fhir.js';

/** The subject of the event comes first and is always present. */
function patientsOf(record: EventRecord, { persons }: ContextMapping, meta: Patient['meta']): Patient[] {
  return persons
    .filter((person, at) => at === 0 || Object.hasOwn(record.declaration, `${person.prefix}.name`))
    .map((person) => patientOf(record, person, meta));
}

function patientOf(record: EventRecord, person: PersonMapping, meta: Patient['meta']): Patient {
  const { declaration } = record;
  const { prefix } = person;
  const name = nameOf(declaration, `${prefix}.name`);
  const gender = textField(declaration, `${prefix}.gender`);
  const birthDate = parseCalendarDate(declaration[`${prefix}.dob`]);
  const deceasedDateTime = person.deceasedOn && parseCalendarDate(declaration[person.deceasedOn]);
  const multipleBirthInteger = birthOrder(declaration, prefix);
  const identifier = identifiersOf(record, person);
  return {
    resourceType: 'Patient',
    id: derivedUuid(record.id, prefix),
    active: true,
    ...(name && { name: [name] }),
    ...(gender && { gender: GENDERS.get(gender.toLowerCase()) ?? 'unknown' }),
    ...(birthDate && { birthDate }),
    ...(deceasedDateTime && { deceasedDateTime }),
    ...(multipleBirthInteger !== undefined && { multipleBirthInteger }),
    ...(identifier.length > 0 && { identifier }),
    meta,
  };
}

const GENDERS: ReadonlyMap<string, NonNullable<Patient['gender']>> = new Map([
  ['male', 'male'],
  ['female', 'female'],
  ['other', 'other'],
]);

function nameOf(declaration: Declaration, fieldId: string): HumanName | undefined {
  const value = declaration[fieldId];
  if (typeof value !== 'object' || Array.isArray(value)) return undefined;
  const { firstname, middlename, surname } = value as Readonly<Record<string, unknown>>;
  const given = [nonEmpty(firstname), nonEmpty(middlename)].filter((part) => part !== undefined);
  const family = nonEmpty(surname);
  if (given.length === 0 && family === undefined) return undefined;
  return { use: 'en', ...(given.length > 0 && { given }), ...(family !== undefined && { family: [family] }) };
}

/** FHIR R4: an integer has 32 bits. */
const LARGEST_INTEGER = 2 ** 31 - 1;

/** An only child is the first. */
function birthOrder(declaration: Declaration, prefix: string): number | undefined {
  const order = declaration[`${prefix}.birthOrder`];
  if (typeof order === 'number' && Number.isInteger(order) && order > 0 && order <= LARGEST_INTEGER) return order;
  return declaration[`${prefix}.birthType`] === 'SINGLE' ? 1 : undefined;
}

function identifiersOf({ declaration, legalStatuses }: EventRecord, person: PersonMapping): PatientIdentifier[] {
  const registered = person.registrationNumberType
    ? [[person.registrationNumberType, nonEmpty(legalStatuses.REGISTERED?.registrationNumber)] as const]
    : [];
  const declared = PERSON_IDENTIFIERS.map(
    ([suffix, type]) => [type, textField(declaration, `${person.prefix}.${suffix}`)] as const,
  );
  return [...registered, ...declared].flatMap(([code, value]) =>
    value === undefined ? [] : [{ type: { coding: [{ system: specification('identifier-type'), code }] }, value }],
  );
}

function taskOf(input: ContextInput, mapping: ContextMapping, meta: Task['meta']): Task {
  const { record } = input;
  return {
    resourceType: 'Task',
    id: derivedUuid(record.id, 'task'),
    status: 'ready',
    intent: 'order',
    code: concept('types', mapping.code),
    focus: { reference: compositionOf(record.id) },
    identifier: [
      { system: specification('id/draft-id'), value: record.id },
      ...identifier(mapping.trackingId, record.trackingId),
      ...identifier(mapping.registrationNumber, record.legalStatuses.REGISTERED?.registrationNumber),
    ],
    extension: extensionsOf(input),
    lastModified: record.updatedAt,
    businessStatus: concept('reg-status', input.topic.endsWith('_CERTIFIED') ? 'CERTIFIED' : record.status),
    meta,
  };
}

function extensionsOf({ record, areaOf, nameOf }: ContextInput): Extension[] {
  const { declaration, legalStatuses } = record;
  const registrar = legalStatuses.REGISTERED?.createdBy ?? record.updatedBy;
  const office = legalStatuses.REGISTERED?.createdAtLocation ?? record.updatedAtLocation;
  const location = office === null ? null : (areaOf(office) ?? office);
  return [
    ...text('contact-person', textField(declaration, 'informant.relation')),
    ...text('contact-relationship', textField(declaration, 'informant.other.relation')),
    ...text('contact-person-phone-number', textField(declaration, 'informant.phoneNo')),
    ...text('contact-person-email', textField(declaration, 'informant.email')),
    // No longer measured, but receivers expect a number.
    { url: specification('extension/timeLoggedMS'), valueInteger: 0 },
    ...reference('regLastUser', 'Practitioner', registrar),
    ...reference('regLastLocation', 'Location', location, nonEmpty(location && nameOf(location))),
    ...reference('regLastOffice', 'Location', office, nonEmpty(office && nameOf(office))),
  ];
}

/** Upstream numbers may be invalid in FHIR. */
function identifier(name: string, given: string | undefined): Task['identifier'] {
  const value = nonEmpty(given);
  return value === undefined ? [] : [{ system: specification(`id/${name}`), value }];
}

const concept = (system: string, code: string): CodeableConcept => ({
  coding: [{ system: specification(system), code }],
});

const text = (name: string, valueString: string | undefined): Extension[] =>
  valueString === undefined ? [] : [{ url: specification(`extension/${name}`), valueString }];

const reference = (name: string, type: string, id: string | null, display?: string): Extension[] =>
  id === null
    ? []
    : [
        {
          url: specification(`extension/${name}`),
          valueReference: { reference: `${type}/${id}`, ...(display !== undefined && { display }) },
        },
      ];

/**
 * `context[0]`: the Task, a Patient for each person, a DocumentReference for each supporting document (W-13). Throws
 * for an event type without topics.
 */
export function contextBundle(input: ContextInput): ContextBundle {
  const { record } = input;
  const mapping = CONTEXT_MAPPINGS.get(record.type);
  if (mapping === undefined) throw new Error(`events of the type ${record.type} have no context`);
  const meta = { lastUpdated: withOffset(record.updatedAt), versionId: input.actionId };
  const resources = [
    taskOf(input, mapping, meta),
    ...patientsOf(record, mapping, meta),
    ...documentReferencesOf(input, mapping, meta),
  ];
  const entry = resources.map((resource) => ({ fullUrl: `urn:uuid:${resource.id}`, resource }));
  return { resourceType: 'Bundle', type: 'document', entry };
}

const withOffset = (instant: Instant): string => instant.replace('Z', '+00:00');
