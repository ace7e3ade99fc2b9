import type { CalendarDate, DateTime } from './calendar.js';
import { SCALAR_FIELDS, type ScalarName } from './scalar-fields.js';
import type { FieldOn } from './searched-fields.js';

/** A parsed search: after this nothing can be the caller's fault. Interface, POST /events/search. */
export interface SearchRequest {
  readonly query: Query;
  /** 0…`SEARCH_MAX_LIMIT` (S-4). */
  readonly limit: number;
  readonly offset: number;
  /** Empty: by relevance, then newest first (S-12). */
  readonly sort: readonly SortKey[];
  /** Only what comes after the row with these values, instead of `offset` (S-15). */
  readonly after?: SortValues;
}

/** The sort values of a row, each as text; null for missing ones. */
export type SortValues = readonly (string | null)[];

/** QueryType: clauses combined with AND or OR. */
export interface Query {
  readonly kind: 'and' | 'or';
  readonly clauses: readonly Clause[];
}

/** A branch or a leaf of the tree of a search. */
export type Clause = Query | Expression;

/** QueryExpression: conditions combined with AND (S-6); an empty list sets no condition (S-3). */
export interface Expression {
  readonly kind: 'expression';
  readonly conditions: readonly Condition[];
}

/** A field whose text is compared whole, by the key of its condition. */
export type TextField = FieldOn<'text'>;

/** A field that says when something was done. */
export type InstantField = FieldOn<'instant'>;

/** A field that says where something was done. */
export type LocationField = FieldOn<'location'>;

/** One condition of an expression, by what it is on. */
export type Condition =
  /** The field is one of `terms`, compared whole and case-sensitively (S-7). */
  | { readonly on: 'text'; readonly field: TextField; readonly terms: readonly string[] }
  | { readonly on: 'instant'; readonly field: InstantField; readonly condition: DateCondition }
  | {
      readonly on: 'location';
      readonly field: LocationField;
      readonly match: 'within' | 'exact';
      readonly location: string;
    }
  | {
      readonly on: 'flags';
      readonly anyOf?: readonly string[];
      readonly noneOf: readonly string[];
      readonly allOf: readonly string[];
    }
  /** Fields of the declaration, each with the condition on its value (S-10). */
  | { readonly on: 'data'; readonly members: readonly DataMember[] }
  /** Some field of the declaration satisfies it: `"data": {"type": "fuzzy", …}` (S-10). */
  | { readonly on: 'anyField'; readonly condition: ValueCondition };

/** A date or date-time of a condition; `TIMEZONE` turns a date into instants (S-8). */
export type DateTerm =
  { readonly kind: 'date'; readonly date: CalendarDate } | ({ readonly kind: 'dateTime' } & DateTime);

/** How many days back a period reaches. */
export type TimePeriodDays = 7 | 30 | 90 | 365;

/** What an instant must satisfy (S-8). */
export type DateCondition =
  | { readonly type: 'exact'; readonly term: DateTerm }
  | { readonly type: 'range'; readonly gte: DateTerm; readonly lte: DateTerm }
  | { readonly type: 'timePeriod'; readonly days: TimePeriodDays };

/** A field id of the declaration, or a key inside a value, with what must hold there. */
export interface DataMember {
  readonly key: string;
  readonly input: DataInput;
}

/** A condition on a value, or a map into it (S-10). */
export type DataInput = ValueCondition | { readonly type: 'map'; readonly members: readonly DataMember[] };

/** What one value of the declaration must satisfy (S-10, S-11). */
export type ValueCondition =
  | { readonly type: 'fuzzy'; readonly term: string }
  | { readonly type: 'exact'; readonly term: string }
  | { readonly type: 'anyOf'; readonly terms: readonly string[] }
  | { readonly type: 'range'; readonly gte: string; readonly lte: string }
  | { readonly type: 'within'; readonly location: string };

/** One sort key. */
export interface SortKey {
  readonly field: SortField;
  readonly direction: 'asc' | 'desc';
}

/** What results can be sorted by (S-12): a scalar field of the record, a field of the declaration, or its member. */
export type SortField =
  { readonly on: 'record'; readonly name: RecordSortField } | { readonly on: 'declaration'; readonly fieldId: string };

/** The field and its member that this id stands for where no field has it: `child.name.surname` (S-12). */
export function memberOfField(id: string): { readonly fieldId: string; readonly member: string } | undefined {
  const dot = id.lastIndexOf('.');
  return dot <= 0 ? undefined : { fieldId: id.slice(0, dot), member: id.slice(dot + 1) };
}

/** A field of the record that results can be sorted by: each with a single value. */
export type RecordSortField = ScalarName;

/** All of them, in the order of the interface. */
export const RECORD_SORT_FIELDS = Object.keys(SCALAR_FIELDS) as readonly RecordSortField[];
