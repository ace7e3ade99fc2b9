import {
  type Column,
  type KindOf,
  RECORD_COLUMNS,
  SCALAR_FIELDS,
  type ScalarField,
  type ScalarName,
} from './record-columns.js';

type Columns = typeof RECORD_COLUMNS;
type On = 'text' | 'instant' | 'location';

type NameOn<Way extends On> = {
  [Name in ScalarName]: Columns[Name] extends { readonly search: { readonly on: Way } } ? Name : never;
}[ScalarName];

type ConditionOf<Name extends ScalarName> = Columns[Name] extends {
  readonly search: { readonly condition: infer Condition extends string };
}
  ? Condition
  : Name;

export type FieldOn<Way extends On> = { [Name in NameOn<Way>]: ConditionOf<Name> }[NameOn<Way>];

export interface SearchedField<Name extends NameOn<On> = NameOn<On>> extends Readonly<ScalarField<KindOf<Name>>> {
  readonly name: Name;
  readonly condition: ConditionOf<Name>;
  readonly column: Columns[Name]['column'];
  readonly on: Columns[Name]['search']['on'];
  readonly search: Columns[Name]['search'];
}

type SearchedFields = { readonly [Name in NameOn<On> as ConditionOf<Name>]: SearchedField<Name> };

export const SEARCHED_FIELDS = Object.fromEntries(
  Object.entries<Column>(RECORD_COLUMNS).flatMap(([name, { column, search }]) => {
    if (search === undefined) return [];
    const condition = (search.on === 'text' ? search.condition : undefined) ?? name;
    return [[condition, { ...SCALAR_FIELDS[name as ScalarName], name, condition, column, on: search.on, search }]];
  }),
) as SearchedFields;

type AnySearched = SearchedFields[keyof SearchedFields];
type SearchedOn<Way extends On> = Extract<AnySearched, { readonly on: Way }>;

export const fieldsOn = <Way extends On>(way: Way): readonly SearchedOn<Way>[] =>
  Object.values(SEARCHED_FIELDS).filter((field): field is SearchedOn<Way> => field.on === way);

export const byColumn = <Searched extends { readonly column: string }, T>(
  fields: readonly Searched[],
  valueOf: (field: Searched) => T,
): Readonly<Record<Searched['column'], T>> =>
  Object.fromEntries(fields.map((field) => [field.column, valueOf(field)])) as Record<Searched['column'], T>;
