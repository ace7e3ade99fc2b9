import type { EventFlag, EventStatus, UserType } from '../event-record.js';

/** `.` and `..` would change the path of a URL. */
export const EVENT_TYPE_NAME = /^(?!\.{1,2}$)[\p{L}\p{N}._-]{1,64}$/u;

export const isEventTypeName = (name: string): boolean => EVENT_TYPE_NAME.test(name);

export const EVENT_TYPE_NAMES = 'of at most 64 letters, digits, dots, dashes and underscores, other than . and ..';

/** The kinds of declaration values; LOCATION is the UUID of a place. */
export const FIELD_KINDS = [
  'TEXT',
  'EMAIL',
  'DATE',
  'AGE',
  'TIME',
  'DATE_RANGE',
  'TIME_PERIOD',
  'BOOLEAN',
  'NUMBER',
  'FILE',
  'FILE_LIST',
  'NAME',
  'ADDRESS',
  'LOCATION',
  'VERIFICATION_STATUS',
  'REQUEST_STATE',
  'DATA',
  'QUANTITY',
  'LABEL_VALUE',
  'GROUP',
] as const;

export type FieldKind = (typeof FIELD_KINDS)[number];

/** Lists, and objects other than names: nothing is sorted by these (S-12). */
export const UNORDERED_KINDS: ReadonlySet<FieldKind> = new Set([
  'AGE',
  'DATE_RANGE',
  'FILE',
  'FILE_LIST',
  'ADDRESS',
  'REQUEST_STATE',
  'DATA',
  'QUANTITY',
  'LABEL_VALUE',
  'GROUP',
]);

export interface FormField {
  readonly id: string;
  readonly kind: FieldKind;
  readonly label: string | null;
  /** For a declaration and a registration. */
  readonly isRequired: boolean;
  /** Hidden from callers who may not read the record (E-10). */
  readonly isSecured: boolean;
  readonly isCorrectable: boolean;
}

export interface CustomFlag {
  readonly id: string;
  readonly label: string | null;
}

interface Several<T> {
  readonly type: 'and' | 'or';
  readonly clauses: readonly T[];
}

interface Not<T> {
  readonly type: 'not';
  readonly clause: T;
}

export type ConditionOnAction =
  | { readonly type: 'equals'; readonly field: string; readonly value: string | number | boolean }
  | { readonly type: 'present'; readonly field: string }
  /** A date more than so many days before the action. */
  | { readonly type: 'olderThan'; readonly field: string; readonly days: number }
  | { readonly type: 'role'; readonly roles: readonly string[] }
  | { readonly type: 'userType'; readonly userType: UserType };

/** For a flag change: it sees the declaration after the action, annotations so far, author and UTC day. */
export type FlagCondition = Several<FlagCondition> | Not<FlagCondition> | ConditionOnAction;

export type ActionCondition =
  | Several<ActionCondition>
  | Not<ActionCondition>
  | ConditionOnAction
  | { readonly type: 'flag'; readonly flag: EventFlag }
  | { readonly type: 'status'; readonly statuses: readonly EventStatus[] };

/** Inherent flags can only be cleared. */
export interface FlagChange {
  readonly flag: string;
  readonly operation: 'add' | 'remove';
  readonly condition: FlagCondition | undefined;
}

/**
 * Duplicate criteria (E-9). A clause without a value voids an `and`, and is ignored in an `or`. `with`: the other
 * record's field; default: the same.
 */
export type DuplicateRule =
  | { readonly type: 'and' | 'or'; readonly clauses: readonly DuplicateRule[] }
  | { readonly type: 'not'; readonly clause: DuplicateRule }
  /** Every word is near a word of the other value (S-11). */
  | { readonly type: 'fuzzy'; readonly field: string; readonly with?: string }
  | { readonly type: 'strict'; readonly field: string; readonly with?: string }
  /** At most so many days apart. */
  | { readonly type: 'dateRange'; readonly field: string; readonly days: number; readonly with?: string };

export interface ActionSettings {
  readonly flags: readonly FlagChange[];
  /** For a request; undefined: nothing is required. */
  readonly condition: ActionCondition | undefined;
  /** Annotation fields by id; undefined: anything. */
  readonly form: ReadonlyMap<string, FormField> | undefined;
}

/** Configuration of one type (E-3). */
export interface EventType {
  readonly id: string;
  readonly label: string | null;
  /** By id; undefined without a form: any field is accepted. */
  readonly fields: ReadonlyMap<string, FormField> | undefined;
  /** The first readable field counts. None: the day on which the event was created. */
  readonly dateOfEvent: readonly string[];
  /** As `dateOfEvent`. None: where the event was created. */
  readonly placeOfEvent: readonly string[];
  readonly flags: readonly CustomFlag[];
  readonly actions: ReadonlyMap<string, ActionSettings>;
  readonly duplicates: DuplicateRule | undefined;
}
