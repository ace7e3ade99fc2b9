import {
  type Column,
  COLUMN_TYPES,
  RECORD_COLUMNS,
  type RecordColumn,
  SCALAR_FIELDS,
} from '../../../kernel/domain/record-columns.js';
import {
  memberOfField,
  type RecordSortField,
  type SortField,
  type SortKey,
} from '../../../kernel/domain/search-request.js';
import { Sql, sql } from '../../../kernel/sql/sql.js';
import { factsOfField } from '../../index/values/document.js';
import { type Guard, typesSecuring } from '../request/refuse-secured.js';
import { isUnreadOf } from './query.js';
import { ROW_COLUMNS, UNQUALIFIED_COLUMNS } from './row-filter.js';
import { DOCUMENT, memberOfFact, scalarOf } from './stored-fact.js';

/** Text is ordered by code point. */
export interface OrderKey {
  /** A column of `event_search` or of `columns`, unqualified. */
  readonly column: Sql;
  readonly type: 'text' | 'uuid' | 'date' | 'timestamptz' | 'numeric' | 'bigint';
  readonly direction: 'asc' | 'desc';
  /** Rows without a value come last in both directions (S-12). */
  readonly nullable: boolean;
}

/** Total: the last key is the row's `id`. */
export interface Order {
  readonly columns: readonly Sql[];
  readonly keys: readonly OrderKey[];
  readonly by: Sql;
  readonly values: Sql;
  /** The first key's column, if its index has the rows in this order, except for ties; all keys are columns then. */
  readonly index?: RecordColumn;
}

export const comparable = ({ column, type }: OrderKey): Sql => (type === 'text' ? sql`${column} collate "C"` : column);

/** An index cannot serve `nulls last` on a column that is never null. */
export const orderBy = (keys: readonly OrderKey[]): Sql => Sql.join(keys.map(orderByKey), ', ');

function orderByKey(key: OrderKey): Sql {
  if (key.direction === 'asc') return comparable(key);
  return key.nullable ? sql`${comparable(key)} desc nulls last` : sql`${comparable(key)} desc`;
}

export interface Page {
  readonly order: Order;
  readonly limit: number;
  readonly offset: number;
  /** Rows after a cursor, over the columns of `order` (S-15). */
  readonly after?: Sql;
  /** For a streamed page: the record's id in place of each `body`. */
  readonly idsAlone?: boolean;
  /** In bytes: a record with a longer stored text has an empty body. */
  readonly longest?: number;
  /** Over `s` and `d`; undefined: the stored body. */
  readonly shown?: Sql | undefined;
}

/**
 * JSON that `compileAfter` accepts without loss, whatever the session's settings: instants to the microsecond, numbers
 * to the last digit. A text, since at most one list of a page is read.
 */
export const compileSortValues = (keys: readonly OrderKey[]): Sql =>
  sql`json_build_array(${Sql.join(keys.map(asText), ', ')})::text`;

/** JSON has exactly one way to write an instant. */
const asText = ({ column, type }: OrderKey): Sql =>
  type === 'timestamptz' || type === 'date' ? sql`to_jsonb(${column}) #>> '{}'` : sql`(${column})::text`;

const BY_ID: OrderKey = { column: sql`id`, type: 'uuid', direction: 'asc', nullable: false };

/**
 * Fewest edits first, then newest first: the default of fuzzy searches (S-12). Absent `edits` come from the select of
 * the matches.
 */
export function compileRelevance(edits?: Sql): Order {
  const { columns, keys } = IN_USUAL_ORDER;
  const fewestEdits: OrderKey = { column: sql`edits`, type: 'bigint', direction: 'asc', nullable: true };
  return {
    columns: edits === undefined ? columns : [...columns, sql`${edits} as edits`],
    ...ordered([fewestEdits, ...keys]),
  };
}

/**
 * Missing values come last, then `id` decides; newest first by default (S-12). A value that the caller may not read
 * counts as missing.
 */
export function compileOrder(sort: readonly SortKey[], guard?: Guard): Order {
  return sort.length === 0 ? IN_USUAL_ORDER : compileKeys(firstOfEachField(sort), guard);
}

function compileKeys(asked: readonly SortKey[], guard?: Guard): Order {
  const fieldIds = asked.flatMap(({ field }) => (field.on === 'declaration' ? [field.fieldId] : []));
  const columns = asked.flatMap(({ field }) =>
    field.on === 'record' && field.name !== 'id' ? [columnAs(field.name, isHidden(field, guard))] : [],
  );
  const keys = asked.flatMap(({ field, direction }) =>
    field.on === 'record'
      ? [keyOfField(field.name, direction)]
      : keysOfFact(sql`sort_facts -> ${fieldIds.indexOf(field.fieldId)}::int`, direction),
  );
  return {
    columns: [
      sql`s.id`,
      ...columns,
      ...(fieldIds.length === 0 ? [] : [sql`${sortFacts(fieldIds, guard)} as sort_facts`]),
    ],
    ...ordered(asked.some(({ field }) => field.on === 'record' && field.name === 'id') ? keys : [...keys, BY_ID]),
    ...(asked.every(({ field }) => isInRow(field, guard)) ? indexOf(asked[0]) : {}),
  };
}

const ordered = (keys: readonly OrderKey[]): Pick<Order, 'keys' | 'by' | 'values'> => ({
  keys,
  by: orderBy(keys),
  values: compileSortValues(keys),
});

/** The caller may not read the row's value, and must not sort by it (E-10). Undefined if never. Never NULL. */
function isHidden(field: SortField, guard: Guard | undefined): Sql | undefined {
  const types = guard === undefined ? [] : typesSecuring(field, guard.secured);
  return guard === undefined || types.length === 0 ? undefined : isUnreadOf(types, guard);
}

function columnAs(name: RecordSortField, hidden: Sql | undefined): Sql {
  const column = columnOf(name);
  if (hidden === undefined) return ROW_COLUMNS[column];
  return sql`case when ${hidden} then null else ${ROW_COLUMNS[column]} end as ${UNQUALIFIED_COLUMNS[column]}`;
}

/** Only such an order can be followed before rows are selected. */
const isInRow = (field: SortField, guard: Guard | undefined): boolean =>
  field.on === 'record' && isHidden(field, guard) === undefined;

const indexOf = (first: SortKey | undefined): Pick<Order, 'index'> => {
  if (first?.field.on !== 'record') return {};
  const { column, search }: Column & { readonly column: RecordColumn } = RECORD_COLUMNS[first.field.name];
  return search?.on === 'instant' && search.isOrdered ? { index: column } : {};
};

/** Repeated keys are dropped, and those after `id`, which is unique. */
function firstOfEachField(sort: readonly SortKey[]): readonly SortKey[] {
  const seen = new Map(sort.toReversed().map((key) => [JSON.stringify(key.field), key]));
  const id = sort.findIndex(({ field }) => field.on === 'record' && field.name === 'id');
  return sort.slice(0, id < 0 ? undefined : id + 1).filter((key) => seen.get(JSON.stringify(key.field)) === key);
}

const columnOf = (name: RecordSortField): RecordColumn => RECORD_COLUMNS[name].column;

function keyOfField(name: RecordSortField, direction: OrderKey['direction']): OrderKey {
  const { kind, isNullable } = SCALAR_FIELDS[name];
  return { column: UNQUALIFIED_COLUMNS[columnOf(name)], type: COLUMN_TYPES[kind], direction, nullable: isNullable };
}

/** Numbers by value, then everything else as text, by code point; reversed in descending order. */
function keysOfFact(fact: Sql, direction: OrderKey['direction']): readonly OrderKey[] {
  const scalar = sql`(${fact} #>> '{}')`;
  const number: OrderKey = {
    column: sql`(case jsonb_typeof(${fact}) when 'number' then ${scalar}::numeric end)`,
    type: 'numeric',
    direction,
    nullable: true,
  };
  const text: OrderKey = {
    column: sql`(case jsonb_typeof(${fact}) when 'string' then ${scalar} end)`,
    type: 'text',
    direction,
    nullable: true,
  };
  return direction === 'asc' ? [number, text] : [text, number];
}

/** In order; null for a value that is missing or has no order. */
function sortFacts(fieldIds: readonly string[], guard: Guard | undefined): Sql {
  const scalars = fieldIds.map((fieldId) => {
    const value = sql`(select ${scalarOf(sql`fact`)} from (select ${sortedFact(fieldId)} as fact offset 0) as f)`;
    const hidden = isHidden({ on: 'declaration', fieldId }, guard);
    return hidden === undefined ? value : sql`case when ${hidden} then null else ${value} end`;
  });
  return sql`(select jsonb_build_array(${Sql.join(scalars, ', ')}) from event_document d where d.seq = s.seq)`;
}

/** In a record without such a field, the facts of the member that the id names. */
function sortedFact(id: string): Sql {
  const fact = factsOfField(DOCUMENT, id);
  const inside = memberOfField(id);
  if (inside === undefined) return fact;
  const value = sql`(select ${memberOfFact(sql`whole`, inside.member)} from (select ${factsOfField(DOCUMENT, inside.fieldId)} as whole offset 0) as w)`;
  return sql`coalesce(${fact}, ${value})`;
}

/** Nearly all searches use it. It is never hidden. */
export const IN_USUAL_ORDER = compileKeys([{ field: { on: 'record', name: 'updatedAt' }, direction: 'desc' }]);
