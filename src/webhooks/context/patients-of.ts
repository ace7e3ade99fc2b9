import { parseCalendarDate } from '../../kernel/domain/calendar.js';
import { derivedUuid } from '../../kernel/domain/uuid.js';
import type { Declaration } from '../../kernel/domain/declaration.js';
import type { EventRecord } from '../../kernel/domain/event-record.js';
import { type ContextMapping, PERSON_IDENTIFIERS, type PersonMapping, specification } from './context-mapping.js';
import type { HumanName, Patient, PatientIdentifier } from './fhir.js';
import { nonEmpty, textField } from './text-field.js';

/** The subject of the event comes first and is always present. */
export function patientsOf(record: EventRecord, { persons }: ContextMapping, meta: Patient['meta']): Patient[] {
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
