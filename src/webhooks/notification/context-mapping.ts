import type { FilesByPath } from '../../events/write/event-publisher.js';
import type { Declaration, EventRecord } from '../../kernel/domain/event-record.js';
import type { Topic } from '../../kernel/domain/life-cycle/topic.js';
import type { Uuid } from '../../kernel/domain/uuid.js';

const FORBIDDEN = /[\u0000-\u0008\u000b\u000c\u000e-\u001f]/g;

/** Trimmed; undefined if empty. */
export function textField(declaration: Declaration, fieldId: string): string | undefined {
  const value = Object.hasOwn(declaration, fieldId) ? declaration[fieldId] : undefined;
  return typeof value === 'string' ? nonEmpty(value) : undefined;
}

/** FHIR permits neither empty strings nor control characters, except tabs and line breaks. */
export function nonEmpty(text: unknown): string | undefined {
  const printable = typeof text === 'string' ? text.replace(FORBIDDEN, ' ').trim() : '';
  return printable === '' ? undefined : printable;
}

/** FHIR codes have single spaces between words. */
export const codeText = (text: unknown): string | undefined => nonEmpty(text)?.replace(/\s+/g, ' ');

export interface ContextInput {
  readonly topic: Topic;
  /** After the change. */
  readonly record: EventRecord;
  readonly actionId: Uuid;
  /** By `path`; other files are only referred to (W-13). */
  readonly files: FilesByPath;
  /** Null if unknown. */
  readonly areaOf: (office: Uuid) => Uuid | null;
  /** On the day of the event (L-2); null if unknown. */
  readonly nameOf: (place: Uuid) => string | null;
}

/** The fields `<prefix>.name`, `.gender`, `.dob`, … of a Patient. */
export interface PersonMapping {
  readonly prefix: string;
  /** `subject.display` of documents. */
  readonly role: string;
  readonly registrationNumberType?: string;
  readonly deceasedOn?: string;
}

/** W-13. */
export interface ContextMapping {
  /** A code of the system `types`. */
  readonly code: string;
  /** The last parts of the systems of `Task.identifier`. */
  readonly trackingId: string;
  readonly registrationNumber: string;
  /** The first is the subject of the event, and of documents that name nobody. */
  readonly persons: readonly [PersonMapping, ...PersonMapping[]];
}

/** In the field ids of upstream's example country (W-11). */
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

export const PERSON_IDENTIFIERS: readonly (readonly [suffix: string, type: string])[] = [
  ['nid', 'NATIONAL_ID'],
  ['passport', 'PASSPORT'],
  ['brn', 'BIRTH_REGISTRATION_NUMBER'],
];

export const DOCUMENT_PREFIX = 'documents.';

export const specification = (name: string): string => `http://opencrvs.org/specs/${name}`;

/** The target of `Task.focus`. */
export const compositionOf = (eventId: Uuid): string => `Composition/${eventId}`;
