import {
  type EventRecord,
  type Field,
  type Fields,
  type FieldValues,
  LEGAL_STATUS_FIELDS,
  RECORD_FIELDS,
  REGISTERED_STATUS_FIELDS,
  type ScalarValues,
} from './event-record.js';

export interface DocumentTable {
  readonly heads: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

export type ScalarKind = keyof ScalarValues;

export interface ScalarField<Kind extends ScalarKind = ScalarKind> {
  readonly kind: Kind;
  readonly isNullable: boolean;
  readonly example: string | undefined;
  readonly read: (record: EventRecord) => ScalarValues[Kind] | null;
}

type ScalarKey<T extends Fields> = {
  [Key in keyof T]: T[Key]['kind'] extends ScalarKind ? Key : never;
}[keyof T] &
  string;

type Named<Prefix extends string, T extends Fields> = {
  readonly [Key in ScalarKey<T> as `${Prefix}${Key}`]: ScalarField<Extract<T[Key]['kind'], ScalarKind>>;
};

type ScalarFields = Named<'', typeof RECORD_FIELDS> &
  Named<'legalStatuses.DECLARED.', typeof LEGAL_STATUS_FIELDS> &
  Named<'legalStatuses.REGISTERED.', typeof REGISTERED_STATUS_FIELDS>;

/** A scalar field: a key, or `legalStatuses.<status>.<key>`. */
export type ScalarName = keyof ScalarFields;

export type KindOf<Name extends ScalarName> = ScalarFields[Name]['kind'];

const MORE_THAN_ONE_VALUE: Readonly<Record<Exclude<keyof FieldValues, ScalarKind>, true>> = {
  legalStatuses: true,
  potentialDuplicates: true,
  flags: true,
  declaration: true,
};

function named<Prefix extends string, T extends Fields>(
  prefix: Prefix,
  fields: T,
  readerOf: (key: ScalarKey<T>) => ScalarField['read'],
): Named<Prefix, T> {
  const scalars = Object.entries<Field>(fields).filter(([, { kind }]) => !Object.hasOwn(MORE_THAN_ONE_VALUE, kind));
  return Object.fromEntries(
    scalars.map(([key, { kind, isNullable, example }]) => [
      `${prefix}${key}`,
      { kind, isNullable: prefix !== '' || isNullable === true, example, read: readerOf(key as ScalarKey<T>) },
    ]),
  ) as Named<Prefix, T>;
}

export const SCALAR_FIELDS: ScalarFields = {
  ...named('', RECORD_FIELDS, (key) => (record) => record[key]),
  ...named('legalStatuses.DECLARED.', LEGAL_STATUS_FIELDS, (key) => (record) => {
    return record.legalStatuses.DECLARED?.[key] ?? null;
  }),
  ...named('legalStatuses.REGISTERED.', REGISTERED_STATUS_FIELDS, (key) => (record) => {
    return record.legalStatuses.REGISTERED?.[key] ?? null;
  }),
};

/** The field equals one of several texts (S-7). */
interface TextSearch {
  readonly on: 'text';
  /** The condition's key; default: the field's name. */
  readonly condition?: string;
  /** Accepted condition forms: the text itself, or these types. */
  readonly accepts: 'plain' | readonly ('exact' | 'anyOf')[];
}

/** Unique values, found by an index on the column. */
interface UniqueSearch extends TextSearch {
  readonly values: 'unique';
}

/** Shared values, found by terms; terms alone decide if countries choose the values. */
interface SharedSearch extends TextSearch {
  readonly values: 'words' | 'people';
  /** The prefix of term texts. A change requires a new derived version. */
  readonly terms: string;
  readonly index?: 'composite' | 'in composite';
}

/** The instant lies in an interval (S-8). The column has its own index and a histogram. */
interface InstantSearch {
  readonly on: 'instant';
  /** The index has all rows in column order; the column is never null. */
  readonly isOrdered?: true;
}

/** The place is a location or lies within it (S-9). The column has its own index and statistics. */
interface LocationSearch {
  readonly on: 'location';
  readonly accepts: 'within or exact' | 'within or null';
  /** The prefix of area term texts. A change requires a new derived version. */
  readonly terms: string;
}

interface SearchByKind {
  readonly uuid: UniqueSearch | LocationSearch;
  readonly instant: InstantSearch;
  readonly date: never;
  readonly name: UniqueSearch | SharedSearch;
  readonly text: SharedSearch;
  readonly userType: SharedSearch;
  readonly status: SharedSearch;
}

export interface Column<Kind extends ScalarKind = ScalarKind> {
  readonly column: string;
  /** Absent: no conditions on it. */
  readonly search?: SearchByKind[Kind];
}

/**
 * The scalar columns of `event_search`, in table order; fields give type and nullability. Storage, sorting, searching
 * and descriptions derive from it.
 */
export const RECORD_COLUMNS = {
  id: { column: 'id', search: { on: 'text', accepts: 'plain', values: 'unique' } },
  type: {
    column: 'type',
    search: {
      on: 'text',
      condition: 'eventType',
      accepts: 'plain',
      values: 'words',
      terms: 'type',
      index: 'in composite',
    },
  },
  status: {
    column: 'status',
    search: { on: 'text', accepts: ['anyOf', 'exact'], values: 'words', terms: 'status', index: 'composite' },
  },
  trackingId: { column: 'tracking_id', search: { on: 'text', accepts: ['exact'], values: 'unique' } },
  createdAt: { column: 'created_at', search: { on: 'instant', isOrdered: true } },
  createdBy: {
    column: 'created_by',
    search: { on: 'text', accepts: ['exact'], values: 'people', terms: 'createdBy' },
  },
  createdByUserType: {
    column: 'created_by_user_type',
    search: { on: 'text', accepts: ['exact'], values: 'words', terms: 'createdByUserType' },
  },
  createdAtLocation: {
    column: 'created_at_location',
    search: { on: 'location', accepts: 'within or exact', terms: 'createdAtLocation' },
  },
  updatedAt: { column: 'updated_at', search: { on: 'instant', isOrdered: true } },
  updatedBy: {
    column: 'updated_by',
    search: { on: 'text', accepts: ['exact'], values: 'people', terms: 'updatedBy' },
  },
  updatedByUserRole: {
    column: 'updated_by_user_role',
    search: { on: 'text', accepts: ['exact'], values: 'words', terms: 'updatedByUserRole' },
  },
  updatedAtLocation: {
    column: 'updated_at_location',
    search: { on: 'location', accepts: 'within or exact', terms: 'updatedAtLocation' },
  },
  assignedTo: {
    column: 'assigned_to',
    search: { on: 'text', accepts: ['exact'], values: 'people', terms: 'assignedTo' },
  },
  dateOfEvent: { column: 'date_of_event' },
  placeOfEvent: { column: 'place_of_event' },
  'legalStatuses.DECLARED.createdAt': { column: 'declared_created_at' },
  'legalStatuses.DECLARED.createdBy': { column: 'declared_created_by' },
  'legalStatuses.DECLARED.createdByUserType': { column: 'declared_created_by_user_type' },
  'legalStatuses.DECLARED.createdAtLocation': {
    column: 'declared_created_at_location',
    search: { on: 'location', accepts: 'within or null', terms: 'declaredCreatedAtLocation' },
  },
  'legalStatuses.DECLARED.createdByRole': {
    column: 'declared_created_by_role',
    search: { on: 'text', accepts: ['anyOf'], values: 'words', terms: 'declaredByRole' },
  },
  'legalStatuses.DECLARED.acceptedAt': { column: 'declared_accepted_at' },
  'legalStatuses.REGISTERED.createdAt': { column: 'registered_created_at' },
  'legalStatuses.REGISTERED.createdBy': { column: 'registered_created_by' },
  'legalStatuses.REGISTERED.createdByUserType': { column: 'registered_created_by_user_type' },
  'legalStatuses.REGISTERED.createdAtLocation': {
    column: 'registered_created_at_location',
    search: { on: 'location', accepts: 'within or null', terms: 'registeredCreatedAtLocation' },
  },
  'legalStatuses.REGISTERED.createdByRole': {
    column: 'registered_created_by_role',
    search: { on: 'text', accepts: ['anyOf'], values: 'words', terms: 'registeredByRole' },
  },
  'legalStatuses.REGISTERED.acceptedAt': { column: 'registered_accepted_at', search: { on: 'instant' } },
  'legalStatuses.REGISTERED.registrationNumber': {
    column: 'registration_number',
    search: { on: 'text', accepts: ['exact'], values: 'unique' },
  },
} as const satisfies { readonly [Name in ScalarName]: Column<KindOf<Name>> };

export const COLUMN_TYPES = {
  uuid: 'uuid',
  instant: 'timestamptz',
  date: 'date',
  name: 'text',
  text: 'text',
  userType: 'text',
  status: 'text',
} as const satisfies Record<ScalarKind, string>;

export type RecordColumn = (typeof RECORD_COLUMNS)[ScalarName]['column'];
