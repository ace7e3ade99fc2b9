import type { EventFlag } from '../event-flag.js';
import type { EventStatus } from '../event-status.js';
import type { UserType } from '../user-type.js';

/** What `isEventTypeName` accepts: `.` and `..` are no segments of an address, which leads to another one. */
export const EVENT_TYPE_NAME = /^(?!\.{1,2}$)[\p{L}\p{N}._-]{1,64}$/u;

/** Whether a type of event may have this name, which stands in addresses and in scopes. */
export const isEventTypeName = (name: string): boolean => EVENT_TYPE_NAME.test(name);

/** What `isEventTypeName` accepts, in words. */
export const EVENT_TYPE_NAMES = 'of at most 64 letters, digits, dots, dashes and underscores, other than . and ..';

/** The kinds of values of the interface (declaration values), as a form names them; LOCATION is the UUID of a place. */
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

/** One of `FIELD_KINDS`. */
export type FieldKind = (typeof FIELD_KINDS)[number];

/** The kinds whose values are lists or objects other than names, by which nothing is sorted (S-12). */
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

/** One field of the form of an event type. */
export interface FormField {
  readonly id: string;
  readonly kind: FieldKind;
  readonly label: string | null;
  /** Whether a declaration and a registration need a value. */
  readonly isRequired: boolean;
  /** Whether its value is kept from callers who may not read the record (E-10). */
  readonly isSecured: boolean;
  /** Whether a correction may change it. */
  readonly isCorrectable: boolean;
}

/** A flag of a country's own. */
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

/** What conditions of both kinds can ask of an action and of the event that it is done on. */
export type ConditionOnAction =
  /** The field has that value. */
  | { readonly type: 'equals'; readonly field: string; readonly value: string | number | boolean }
  /** The field has some value. */
  | { readonly type: 'present'; readonly field: string }
  /** The field is a date more than so many days before the day of the action. */
  | { readonly type: 'olderThan'; readonly field: string; readonly days: number }
  | { readonly type: 'role'; readonly roles: readonly string[] }
  | { readonly type: 'userType'; readonly userType: UserType };

/**
 * What must hold when an action is accepted for it to change a flag. It sees the declaration after the action with the
 * annotations so far, the action's author, and the UTC day of the action.
 */
export type FlagCondition = Several<FlagCondition> | Not<FlagCondition> | ConditionOnAction;

/** What must hold for an action to be requested. It also sees the state of the record before the action. */
export type ActionCondition =
  | Several<ActionCondition>
  | Not<ActionCondition>
  | ConditionOnAction
  | { readonly type: 'flag'; readonly flag: EventFlag }
  | { readonly type: 'status'; readonly statuses: readonly EventStatus[] };

/** An accepted action sets or clears a flag: of the country's own, or an inherent one, which it may only clear. */
export interface FlagChange {
  readonly flag: string;
  readonly operation: 'add' | 'remove';
  readonly condition: FlagCondition | undefined;
}

/**
 * When two records are taken for the same event (E-9). A clause whose field has no value is void: it makes an `and`
 * void, and an `or` goes on without it. `with` is the other record's field; absent: the same one.
 */
export type DuplicateRule =
  | { readonly type: 'and' | 'or'; readonly clauses: readonly DuplicateRule[] }
  | { readonly type: 'not'; readonly clause: DuplicateRule }
  /** Every word is near a word of the other value (S-11). */
  | { readonly type: 'fuzzy'; readonly field: string; readonly with?: string }
  /** Both have the same value. */
  | { readonly type: 'strict'; readonly field: string; readonly with?: string }
  /** Both are dates, at most so many days apart. */
  | { readonly type: 'dateRange'; readonly field: string; readonly days: number; readonly with?: string };

/** What is configured of one action on events of a type. */
export interface ActionSettings {
  /** What its acceptance does to flags. */
  readonly flags: readonly FlagChange[];
  /** What must hold for it to be requested; undefined: nothing. */
  readonly condition: ActionCondition | undefined;
  /** What its annotation may have, by id; undefined: anything. */
  readonly form: ReadonlyMap<string, FormField> | undefined;
}

/** Everything that is configured of one type of event (E-3). */
export interface EventType {
  readonly id: string;
  readonly label: string | null;
  /** By id; undefined where there is no form: then every field id is accepted with every kind of value. */
  readonly fields: ReadonlyMap<string, FormField> | undefined;
  /**
   * The fields that tell `dateOfEvent`: the first readable one counts. None: the day on which the event was created.
   */
  readonly dateOfEvent: readonly string[];
  /** The fields that tell `placeOfEvent`, in the same way. None: where the event was created. */
  readonly placeOfEvent: readonly string[];
  readonly flags: readonly CustomFlag[];
  /** By `actionKey`; `settingsOf` finds what holds for an action. */
  readonly actions: ReadonlyMap<string, ActionSettings>;
  readonly duplicates: DuplicateRule | undefined;
}
