import type { CalendarDate, Instant } from './calendar.js';
import type { Uuid } from './uuid.js';
import type { Declaration } from './declaration.js';
import type { EventFlag } from './event-flag.js';
import type { EventStatus } from './event-status.js';
import type { UserType } from './user-type.js';

/** The kinds of fields that hold one value. */
export interface ScalarValues {
  readonly uuid: Uuid;
  readonly instant: Instant;
  readonly date: CalendarDate;
  /** Text that is not empty. */
  readonly name: string;
  /** Text that may be empty. */
  readonly text: string;
  readonly userType: UserType;
  readonly status: EventStatus;
}

/** The type of a field's value, by kind. */
export interface FieldValues extends ScalarValues {
  readonly legalStatuses: LegalStatuses;
  readonly potentialDuplicates: readonly PotentialDuplicate[];
  readonly flags: readonly EventFlag[];
  readonly declaration: Declaration;
}

/** A field of a record, of a legal status or of a potential duplicate. */
export interface Field {
  readonly kind: keyof FieldValues;
  /** Whether it may be null, and may be absent in input. */
  readonly isNullable?: true;
  /** For the OpenAPI document. */
  readonly description?: string;
  readonly example?: string;
}

/** A table of fields, by key. */
export type Fields = Readonly<Record<string, Field>>;

/** The object that a table of fields describes. */
export type ValuesOf<T extends Fields> = {
  readonly [Key in keyof T]:
    FieldValues[T[Key]['kind']] | (T[Key] extends { readonly isNullable: true } ? null : never);
};

/** Interface, Legal-status object. */
export const LEGAL_STATUS_FIELDS = {
  createdAt: { kind: 'instant', description: 'When the action request was created' },
  createdBy: { kind: 'name', description: 'Id of the user who created the action request' },
  createdAtLocation: { kind: 'uuid', isNullable: true },
  createdByUserType: { kind: 'userType', isNullable: true },
  acceptedAt: { kind: 'instant', description: 'When the action request was accepted' },
  createdByRole: { kind: 'text', isNullable: true },
} as const satisfies Fields;

/** Those of a registration. */
export const REGISTERED_STATUS_FIELDS = {
  ...LEGAL_STATUS_FIELDS,
  registrationNumber: { kind: 'name' },
} as const satisfies Fields;

/** The keys of `legalStatuses`, with the fields of each. */
export const LEGAL_STATUSES = {
  DECLARED: LEGAL_STATUS_FIELDS,
  REGISTERED: REGISTERED_STATUS_FIELDS,
} as const satisfies Readonly<Record<string, Fields>>;

/** Interface, `potentialDuplicates`. */
export const POTENTIAL_DUPLICATE_FIELDS = {
  id: { kind: 'uuid' },
  trackingId: { kind: 'name' },
} as const satisfies Fields;

/**
 * Interface, Event record (EventIndex), in its order. Reading, writing and describing a record follow from this table;
 * `projectEvent` derives each field from actions. A field with one value can be sorted by, so it has a line in
 * `RECORD_COLUMNS`.
 */
export const RECORD_FIELDS = {
  id: { kind: 'uuid' },
  type: { kind: 'name', description: 'Kind of event', example: 'birth' },
  status: { kind: 'status' },
  legalStatuses: { kind: 'legalStatuses' },
  createdAt: { kind: 'instant', description: 'When the event was first created and saved' },
  dateOfEvent: { kind: 'date', isNullable: true },
  placeOfEvent: { kind: 'uuid', isNullable: true },
  createdBy: { kind: 'name', description: 'Id of the creating user' },
  createdByUserType: { kind: 'userType', isNullable: true },
  updatedByUserRole: { kind: 'text', isNullable: true, description: 'Role of the user who last changed the status' },
  createdAtLocation: { kind: 'uuid', isNullable: true, description: 'Location of the creating user' },
  updatedAtLocation: {
    kind: 'uuid',
    isNullable: true,
    description: 'Location of the user who last changed the status',
  },
  updatedAt: { kind: 'instant', description: 'Time of the most recent accepted status change' },
  assignedTo: { kind: 'text', isNullable: true, description: 'Id of the user currently assigned' },
  updatedBy: { kind: 'text', isNullable: true, description: 'Id of the user who last changed the status' },
  trackingId: { kind: 'name', description: 'System-generated id used to look the event up', example: 'K3PZ9A' },
  potentialDuplicates: { kind: 'potentialDuplicates' },
  flags: { kind: 'flags' },
  declaration: { kind: 'declaration' },
} as const satisfies Fields;

/** Who made a status legal, and when it was accepted. */
export type LegalStatus = ValuesOf<typeof LEGAL_STATUS_FIELDS>;
/** The legal status of a registration, with its number. */
export type RegisteredStatus = ValuesOf<typeof REGISTERED_STATUS_FIELDS>;
/** Another event that may concern the same happening. */
export type PotentialDuplicate = ValuesOf<typeof POTENTIAL_DUPLICATE_FIELDS>;

/** By key, the legal status; null for one that the record does not have. */
export type LegalStatuses = {
  readonly [Key in keyof typeof LEGAL_STATUSES]: ValuesOf<(typeof LEGAL_STATUSES)[Key]> | null;
};

/** The result of a search, with every key present, null for missing values (S-13). */
export type EventRecord = ValuesOf<typeof RECORD_FIELDS>;
