import type { Uuid } from '../../kernel/domain/uuid.js';

/** A person of a declaration: the fields `<prefix>.name`, `.gender`, `.dob`, … become one Patient. */
export interface PersonMapping {
  readonly prefix: string;
  /** How documents name the person (`subject.display`). */
  readonly role: string;
  /** The subject of the event has the registration number, under this type of identifier. */
  readonly registrationNumberType?: string;
  /** The field with the day of death, for whoever has died. */
  readonly deceasedOn?: string;
}

/** Which declaration fields of an event type go into which resource of a context (W-13). */
export interface ContextMapping {
  /** `Task.code`, of the system `types`. */
  readonly code: string;
  /** The last parts of the systems of `Task.identifier`. */
  readonly trackingId: string;
  readonly registrationNumber: string;
  /** In the order of the entries; the first is the subject of the event, and of documents that name nobody. */
  readonly persons: readonly [PersonMapping, ...PersonMapping[]];
}

/** The mapping of each event type that has topics (W-11), in the field ids of upstream's example country. */
export const CONTEXT_MAPPINGS: ReadonlyMap<string, ContextMapping> = new Map<string, ContextMapping>([
  [
    'birth',
    {
      code: 'BIRTH',
      trackingId: 'birth-tracking-id',
      registrationNumber: 'birth-registration-number',
      persons: [
        { prefix: 'child', role: 'CHILD', registrationNumberType: 'BIRTH_REGISTRATION_NUMBER' },
        { prefix: 'mother', role: 'MOTHER' },
        { prefix: 'father', role: 'FATHER' },
        { prefix: 'informant', role: 'INFORMANT' },
      ],
    },
  ],
  [
    'death',
    {
      code: 'DEATH',
      trackingId: 'death-tracking-id',
      registrationNumber: 'death-registration-number',
      persons: [
        {
          prefix: 'deceased',
          role: 'DECEASED',
          registrationNumberType: 'DEATH_REGISTRATION_NUMBER',
          deceasedOn: 'eventDetails.date',
        },
        { prefix: 'spouse', role: 'SPOUSE' },
        { prefix: 'mother', role: 'MOTHER' },
        { prefix: 'father', role: 'FATHER' },
        { prefix: 'informant', role: 'INFORMANT' },
      ],
    },
  ],
]);

/** Fields of a person that become identifiers, with the code of their type. */
export const PERSON_IDENTIFIERS: readonly (readonly [suffix: string, type: string])[] = [
  ['nid', 'NATIONAL_ID'],
  ['passport', 'PASSPORT'],
  ['brn', 'BIRTH_REGISTRATION_NUMBER'],
];

/** Fields with these beginnings hold supporting documents: a file, or a list of files. */
export const DOCUMENT_PREFIX = 'documents.';

/** A code or extension of OpenCRVS: `http://opencrvs.org/specs/…`. */
export const specification = (name: string): string => `http://opencrvs.org/specs/${name}`;

/** The FHIR Composition that `Task.focus` points to: the event itself. */
export const compositionOf = (eventId: Uuid): string => `Composition/${eventId}`;
