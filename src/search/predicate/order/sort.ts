import type { RecordSortField, SortKey } from '../../../domain/search-request.js';
import { Sql, sql } from '../../../sql/sql.js';
import { scalarOf } from '../data/stored-fact.js';
import type { Order, OrderKey } from './order.js';

type SortColumn = readonly [column: Sql, type: OrderKey['type'], nullable?: 'nullable'];

/** The columns of `event_search` that hold the fields. */
const SORT_COLUMNS: Readonly<Record<RecordSortField, SortColumn>> = {
  id: [sql`id`, 'uuid'],
  type: [sql`type`, 'text'],
  status: [sql`status`, 'text'],
  createdAt: [sql`created_at`, 'timestamptz'],
  dateOfEvent: [sql`date_of_event`, 'date', 'nullable'],
  placeOfEvent: [sql`place_of_event`, 'uuid', 'nullable'],
  createdBy: [sql`created_by`, 'text'],
  createdByUserType: [sql`created_by_user_type`, 'text', 'nullable'],
  updatedByUserRole: [sql`updated_by_user_role`, 'text', 'nullable'],
  createdAtLocation: [sql`created_at_location`, 'uuid', 'nullable'],
  updatedAtLocation: [sql`updated_at_location`, 'uuid', 'nullable'],
  updatedAt: [sql`updated_at`, 'timestamptz'],
  assignedTo: [sql`assigned_to`, 'text', 'nullable'],
  updatedBy: [sql`updated_by`, 'text', 'nullable'],
  trackingId: [sql`tracking_id`, 'text'],
  'legalStatuses.DECLARED.createdAt': [sql`declared_created_at`, 'timestamptz', 'nullable'],
  'legalStatuses.DECLARED.createdBy': [sql`declared_created_by`, 'text', 'nullable'],
  'legalStatuses.DECLARED.createdAtLocation': [sql`declared_created_at_location`, 'uuid', 'nullable'],
  'legalStatuses.DECLARED.createdByUserType': [sql`declared_created_by_user_type`, 'text', 'nullable'],
  'legalStatuses.DECLARED.acceptedAt': [sql`declared_accepted_at`, 'timestamptz', 'nullable'],
  'legalStatuses.DECLARED.createdByRole': [sql`declared_created_by_role`, 'text', 'nullable'],
  'legalStatuses.REGISTERED.createdAt': [sql`registered_created_at`, 'timestamptz', 'nullable'],
  'legalStatuses.REGISTERED.createdBy': [sql`registered_created_by`, 'text', 'nullable'],
  'legalStatuses.REGISTERED.createdAtLocation': [sql`registered_created_at_location`, 'uuid', 'nullable'],
  'legalStatuses.REGISTERED.createdByUserType': [sql`registered_created_by_user_type`, 'text', 'nullable'],
  'legalStatuses.REGISTERED.acceptedAt': [sql`registered_accepted_at`, 'timestamptz', 'nullable'],
  'legalStatuses.REGISTERED.createdByRole': [sql`registered_created_by_role`, 'text', 'nullable'],
  'legalStatuses.REGISTERED.registrationNumber': [sql`registration_number`, 'text', 'nullable'],
};

const NEWEST_FIRST: SortKey = { field: { on: 'record', name: 'updatedAt' }, direction: 'desc' };

const BY_ID: OrderKey = { column: sql`id`, type: 'uuid', direction: 'asc', nullable: false };

/**
 * Fewest edits first, then newest first: what a search with fuzzy conditions is ordered by when nothing was asked (S-12).
 * Without `edits`, who selects the matches knows how many each of them takes.
 */
export function compileRelevance(edits?: Sql): Order {
  const { columns, keys } = compileOrder([]);
  const fewestEdits: OrderKey = { column: sql`edits`, type: 'bigint', direction: 'asc', nullable: true };
  return {
    columns: edits === undefined ? columns : [...columns, sql`${edits} as edits`],
    keys: [fewestEdits, ...keys],
  };
}

/**
 * As asked, missing values last in both directions, then by `id`; newest first when nothing was asked (S-12). What a
 * field of the declaration is ordered by is `sort_facts`.
 */
export function compileOrder(sort: readonly SortKey[]): Order {
  const asked = firstOfEachField(sort.length === 0 ? [NEWEST_FIRST] : sort);
  const fieldIds = asked.flatMap(({ field }) => (field.on === 'declaration' ? [field.fieldId] : []));
  const columns = asked.flatMap(({ field }) =>
    field.on === 'record' && field.name !== 'id' ? [sql`s.${SORT_COLUMNS[field.name][0]}`] : [],
  );
  const keys = asked.flatMap(({ field, direction }) =>
    field.on === 'record'
      ? [keyOfColumn(SORT_COLUMNS[field.name], direction)]
      : keysOfFact(sql`sort_facts -> ${fieldIds.indexOf(field.fieldId)}::int`, direction),
  );
  return {
    columns: [sql`s.id`, ...columns, ...(fieldIds.length === 0 ? [] : [sql`${sortFacts(fieldIds)} as sort_facts`])],
    keys: asked.some(({ field }) => field.on === 'record' && field.name === 'id') ? keys : [...keys, BY_ID],
    ...indexOf(asked[0]),
  };
}

const indexOf = (first: SortKey | undefined): Pick<Order, 'index'> => {
  const name = first?.field.on === 'record' ? first.field.name : undefined;
  if (name === 'updatedAt') return { index: 'updated_at' };
  return name === 'createdAt' ? { index: 'created_at' } : {};
};

/** Of keys on one field the first; and nothing after `id`, which no two records share. */
function firstOfEachField(sort: readonly SortKey[]): readonly SortKey[] {
  const seen = new Map(sort.toReversed().map((key) => [JSON.stringify(key.field), key]));
  const id = sort.findIndex(({ field }) => field.on === 'record' && field.name === 'id');
  return sort.slice(0, id < 0 ? undefined : id + 1).filter((key) => seen.get(JSON.stringify(key.field)) === key);
}

const keyOfColumn = ([column, type, nullable]: SortColumn, direction: OrderKey['direction']): OrderKey => ({
  column,
  type,
  direction,
  nullable: nullable !== undefined,
});

/** Numbers by value, and after them everything else as text, by code point; in descending order the other way round. */
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

/** For each of the fields, in order, its number or text; null for a missing one, a list, and any object. */
function sortFacts(fieldIds: readonly string[]): Sql {
  const scalars = fieldIds.map((fieldId) => scalarOf(sql`d.facts -> ${fieldId}::text`));
  return sql`(select jsonb_build_array(${Sql.join(scalars, ', ')}) from event_document d where d.seq = s.seq)`;
}
