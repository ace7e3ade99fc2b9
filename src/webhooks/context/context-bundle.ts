import type { Instant } from '../../kernel/domain/calendar.js';
import { derivedUuid } from '../../kernel/domain/uuid.js';
import type { ContextInput } from './context-input.js';
import { compositionOf, CONTEXT_MAPPINGS, type ContextMapping, specification } from './context-mapping.js';
import { documentReferencesOf } from './document-references-of.js';
import type { CodeableConcept, ContextBundle, Extension, Task } from './fhir.js';
import { patientsOf } from './patients-of.js';
import { nonEmpty, textField } from './text-field.js';

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
