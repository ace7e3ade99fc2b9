import type { CalendarDate, DateTime } from './calendar.js';
import { SCALAR_FIELDS, type ScalarName } from './record-columns.js';
import type { FieldOn } from './searched-fields.js';

/** A valid search. */
export interface SearchRequest {
  readonly query: Query;
  /** 0…`SEARCH_MAX_LIMIT` (S-4). */
  readonly limit: number;
  readonly offset: number;
  /** Empty: by relevance, then newest first (S-12). */
  readonly sort: readonly SortKey[];
  /** Only rows after these values, instead of `offset` (S-15). */
  readonly after?: SortValues;
}

/** As text; null for missing values. */
export type SortValues = readonly (string | null)[];

/** QueryType: clauses combined with AND or OR. */
export interface Query {
  readonly kind: 'and' | 'or';
  readonly clauses: readonly Clause[];
}

export type Clause = Query | Expression;

/** QueryExpression: conditions combined with AND (S-6); an empty list sets no condition (S-3). */
export interface Expression {
  readonly kind: 'expression';
  readonly conditions: readonly Condition[];
}

export type TextField = FieldOn<'text'>;

export type InstantField = FieldOn<'instant'>;

export type LocationField = FieldOn<'location'>;

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
  /** Fields of the declaration (S-10). */
  | { readonly on: 'data'; readonly members: readonly DataMember[] }
  /** Some field of the declaration satisfies it: `"data": {"type": "fuzzy", …}` (S-10). */
  | { readonly on: 'anyField'; readonly condition: AnyFieldCondition };

/** A range names its field. */
export type AnyFieldCondition = Exclude<ValueCondition, { readonly type: 'range' }>;

/** `TIMEZONE` turns a date into instants (S-8). */
export type DateTerm =
  { readonly kind: 'date'; readonly date: CalendarDate } | ({ readonly kind: 'dateTime' } & DateTime);

export type TimePeriodDays = 7 | 30 | 90 | 365;

/** A condition on an instant (S-8). */
export type DateCondition =
  | { readonly type: 'exact'; readonly term: DateTerm }
  | { readonly type: 'range'; readonly gte: DateTerm; readonly lte: DateTerm }
  | { readonly type: 'timePeriod'; readonly days: TimePeriodDays };

export interface DataMember {
  readonly key: string;
  readonly input: DataInput;
}

/** A condition on a value, or a map into it (S-10). */
export type DataInput = ValueCondition | { readonly type: 'map'; readonly members: readonly DataMember[] };

/** A condition on one declaration value (S-10, S-11). */
export type ValueCondition =
  | { readonly type: 'fuzzy'; readonly term: string }
  | { readonly type: 'exact'; readonly term: string }
  | { readonly type: 'anyOf'; readonly terms: readonly string[] }
  | { readonly type: 'range'; readonly gte: string; readonly lte: string }
  | { readonly type: 'within'; readonly location: string };

export interface SortKey {
  readonly field: SortField;
  readonly direction: 'asc' | 'desc';
}

/** A scalar field of the record, a declaration field, or its member (S-12). */
export type SortField =
  { readonly on: 'record'; readonly name: RecordSortField } | { readonly on: 'declaration'; readonly fieldId: string };

/** Splits `child.name.surname` where no field has this id (S-12). */
export function memberOfField(id: string): { readonly fieldId: string; readonly member: string } | undefined {
  const dot = id.lastIndexOf('.');
  return dot <= 0 ? undefined : { fieldId: id.slice(0, dot), member: id.slice(dot + 1) };
}

export type RecordSortField = ScalarName;

export const RECORD_SORT_FIELDS = Object.keys(SCALAR_FIELDS) as readonly RecordSortField[];
