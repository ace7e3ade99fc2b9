import type { CalendarDate, Instant } from './calendar.js';
import type { Uuid } from './uuid.js';

export const USER_TYPES = ['user', 'system'] as const;

export type UserType = (typeof USER_TYPES)[number];

export const isUserType = (value: unknown): value is UserType => USER_TYPES.includes(value as UserType);

/** People and system clients have separate ids, even where these are equal. */
export interface Author {
  readonly createdBy: string;
  readonly createdByUserType: UserType | null;
}

export const ASSUMED_USER_TYPE: UserType = 'user';

export interface Somebody {
  readonly subject: string;
  readonly userType: UserType;
}

export const isBy = ({ createdBy, createdByUserType }: Author, { subject, userType }: Somebody): boolean =>
  createdBy === subject && (createdByUserType ?? ASSUMED_USER_TYPE) === userType;

/** The inherent flags, and `inactive` (E-1). Other strings are flags too: an action's outcome, or a country's own. */
export const INHERENT_FLAGS = [
  'incomplete',
  'rejected',
  'correction-requested',
  'potential-duplicate',
  'edit-in-progress',
  'inactive',
] as const;

export type InherentFlag = (typeof INHERENT_FLAGS)[number];

/** `<action>:<outcome>`, an inherent flag, or a configured flag. */
export type EventFlag = string;

/** The statuses of events; REVOKED since release 2.1 (E-1). */
export const EVENT_STATUSES = ['CREATED', 'NOTIFIED', 'DECLARED', 'REGISTERED', 'ARCHIVED', 'REVOKED'] as const;

export type EventStatus = (typeof EVENT_STATUSES)[number];

export const isEventStatus = (value: unknown): value is EventStatus => EVENT_STATUSES.includes(value as EventStatus);

/** A declaration value that names a file. */
export interface FileValue {
  readonly path: string;
  readonly originalFilename?: unknown;
  readonly type?: unknown;
  readonly option?: unknown;
}

/** A path alone does not suffice; further members are allowed, since forms may add some. */
export function isFileValue(value: unknown): value is FileValue {
  if (typeof value !== 'object' || value === null) return false;
  const { path, originalFilename, type } = value as Readonly<Record<string, unknown>>;
  return typeof path === 'string' && (typeof originalFilename === 'string' || typeof type === 'string');
}

/** JSON without null inside objects: null removes a field. */
export type DeclarationValue =
  string | number | boolean | readonly DeclarationValue[] | { readonly [key: string]: DeclarationValue };

/** Field id to value; dots belong to the id: `child.name`. */
export type Declaration = Readonly<Record<string, DeclarationValue>>;

/** Field ids are data: inherited properties do not count. */
export const ownValue = (fields: Declaration, fieldId: string): DeclarationValue | undefined =>
  Object.hasOwn(fields, fieldId) ? fields[fieldId] : undefined;

export interface ScalarValues {
  readonly uuid: Uuid;
  readonly instant: Instant;
  readonly date: CalendarDate;
  /** Not empty. */
  readonly name: string;
  /** May be empty. */
  readonly text: string;
  readonly userType: UserType;
  readonly status: EventStatus;
}

export interface FieldValues extends ScalarValues {
  readonly legalStatuses: LegalStatuses;
  readonly potentialDuplicates: readonly PotentialDuplicate[];
  readonly flags: readonly EventFlag[];
  readonly declaration: Declaration;
}

export interface Field {
  readonly kind: keyof FieldValues;
  /** May be null, and absent in input. */
  readonly isNullable?: true;
  readonly description?: string;
  readonly example?: string;
}

export type Fields = Readonly<Record<string, Field>>;

export type ValuesOf<T extends Fields> = {
  readonly [Key in keyof T]:
    FieldValues[T[Key]['kind']] | (T[Key] extends { readonly isNullable: true } ? null : never);
};

/** A legal status of a record. */
export const LEGAL_STATUS_FIELDS = {
  createdAt: { kind: 'instant', description: 'When the action request was created' },
  createdBy: { kind: 'name', description: 'Id of the user who created the action request' },
  createdAtLocation: { kind: 'uuid', isNullable: true },
  createdByUserType: { kind: 'userType', isNullable: true },
  acceptedAt: { kind: 'instant', description: 'When the action request was accepted' },
  createdByRole: { kind: 'text', isNullable: true },
} as const satisfies Fields;

export const REGISTERED_STATUS_FIELDS = {
  ...LEGAL_STATUS_FIELDS,
  registrationNumber: { kind: 'name' },
} as const satisfies Fields;

export const LEGAL_STATUSES = {
  DECLARED: LEGAL_STATUS_FIELDS,
  REGISTERED: REGISTERED_STATUS_FIELDS,
} as const satisfies Readonly<Record<string, Fields>>;

/** A record that may be the same event. */
export const POTENTIAL_DUPLICATE_FIELDS = {
  id: { kind: 'uuid' },
  trackingId: { kind: 'name' },
} as const satisfies Fields;

/**
 * The fields of an event record (EventIndex), in its order. Reading, writing and description derive from this table;
 * `projectEvent` computes the fields. Scalar fields have a line in `RECORD_COLUMNS`.
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

export type LegalStatus = ValuesOf<typeof LEGAL_STATUS_FIELDS>;
export type RegisteredStatus = ValuesOf<typeof REGISTERED_STATUS_FIELDS>;
export type PotentialDuplicate = ValuesOf<typeof POTENTIAL_DUPLICATE_FIELDS>;

/** Null: the record does not have the status. */
export type LegalStatuses = {
  readonly [Key in keyof typeof LEGAL_STATUSES]: ValuesOf<(typeof LEGAL_STATUSES)[Key]> | null;
};

/** A search result: every key present, null for missing values (S-13). */
export type EventRecord = ValuesOf<typeof RECORD_FIELDS>;
