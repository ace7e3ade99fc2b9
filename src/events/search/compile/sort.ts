import type { RecordSortField, SortKey } from '../../../domain/search-request.js';
import { Sql, sql } from '../../../sql/sql.js';

type ColumnKind = 'text' | 'value';

/** The columns of `event_search` that hold the fields; text is ordered by code point, everything else by value. */
const SORT_COLUMNS: Readonly<Record<RecordSortField, readonly [column: Sql, kind: ColumnKind]>> = {
  id: [sql`id`, 'value'],
  type: [sql`type`, 'text'],
  status: [sql`status`, 'text'],
  createdAt: [sql`created_at`, 'value'],
  dateOfEvent: [sql`date_of_event`, 'value'],
  placeOfEvent: [sql`place_of_event`, 'value'],
  createdBy: [sql`created_by`, 'text'],
  createdByUserType: [sql`created_by_user_type`, 'text'],
  updatedByUserRole: [sql`updated_by_user_role`, 'text'],
  createdAtLocation: [sql`created_at_location`, 'value'],
  updatedAtLocation: [sql`updated_at_location`, 'value'],
  updatedAt: [sql`updated_at`, 'value'],
  assignedTo: [sql`assigned_to`, 'text'],
  updatedBy: [sql`updated_by`, 'text'],
  trackingId: [sql`tracking_id`, 'text'],
  'legalStatuses.DECLARED.createdAt': [sql`declared_created_at`, 'value'],
  'legalStatuses.DECLARED.createdBy': [sql`declared_created_by`, 'text'],
  'legalStatuses.DECLARED.createdAtLocation': [sql`declared_created_at_location`, 'value'],
  'legalStatuses.DECLARED.createdByUserType': [sql`declared_created_by_user_type`, 'text'],
  'legalStatuses.DECLARED.acceptedAt': [sql`declared_accepted_at`, 'value'],
  'legalStatuses.DECLARED.createdByRole': [sql`declared_created_by_role`, 'text'],
  'legalStatuses.REGISTERED.createdAt': [sql`registered_created_at`, 'value'],
  'legalStatuses.REGISTERED.createdBy': [sql`registered_created_by`, 'text'],
  'legalStatuses.REGISTERED.createdAtLocation': [sql`registered_created_at_location`, 'value'],
  'legalStatuses.REGISTERED.createdByUserType': [sql`registered_created_by_user_type`, 'text'],
  'legalStatuses.REGISTERED.acceptedAt': [sql`registered_accepted_at`, 'value'],
  'legalStatuses.REGISTERED.createdByRole': [sql`registered_created_by_role`, 'text'],
  'legalStatuses.REGISTERED.registrationNumber': [sql`registration_number`, 'text'],
};

/** An order, and the columns that must be at hand to put rows of `event_search s` into it. */
export interface Order {
  readonly columns: readonly Sql[];
  readonly by: Sql;
}

const NEWEST_FIRST: SortKey = { field: { on: 'record', name: 'updatedAt' }, direction: 'desc' };

/** Fewest edits first, then newest first: what a search with fuzzy conditions is ordered by when nothing was asked (S-12). */
export function compileRelevance(edits: Sql): Order {
  const { columns, by } = compileOrder([]);
  return { columns: [...columns, sql`${edits} as edits`], by: sql`edits, ${by}` };
}

/**
 * As asked, missing values last in both directions, then by `id`; newest first when nothing was asked (S-12). What a
 * field of the declaration is ordered by is `sort_facts`.
 */
export function compileOrder(sort: readonly SortKey[]): Order {
  const keys = firstOfEachField(sort.length === 0 ? [NEWEST_FIRST] : sort);
  const fieldIds = keys.flatMap(({ field }) => (field.on === 'declaration' ? [field.fieldId] : []));
  const columns = keys.flatMap(({ field }) =>
    field.on === 'record' && field.name !== 'id' ? [sql`s.${SORT_COLUMNS[field.name][0]}`] : [],
  );
  const by = keys.map(({ field, direction }) =>
    field.on === 'record'
      ? orderByColumn(SORT_COLUMNS[field.name], direction)
      : orderByFact(sql`sort_facts -> ${fieldIds.indexOf(field.fieldId)}::int`, direction),
  );
  return {
    columns: [sql`s.id`, ...columns, ...(fieldIds.length === 0 ? [] : [sql`${sortFacts(fieldIds)} as sort_facts`])],
    by: Sql.join([...by, sql`id`], ', '),
  };
}

function firstOfEachField(sort: readonly SortKey[]): readonly SortKey[] {
  const seen = new Map(sort.toReversed().map((key) => [JSON.stringify(key.field), key]));
  return sort.filter((key) => seen.get(JSON.stringify(key.field)) === key);
}

function orderByColumn([column, kind]: readonly [column: Sql, kind: ColumnKind], direction: SortKey['direction']): Sql {
  return inDirection(kind === 'text' ? sql`${column} collate "C"` : column, direction);
}

/** Numbers by value, and after them everything else as text, by code point; in descending order the other way round. */
function orderByFact(fact: Sql, direction: SortKey['direction']): Sql {
  const number = sql`(${fact} ->> 'n')::numeric`;
  const text = sql`coalesce(${fact} ->> 'x', ${fact} ->> 't') collate "C"`;
  const keys = direction === 'asc' ? [number, text] : [text, number];
  return Sql.join(
    keys.map((key) => inDirection(key, direction)),
    ', ',
  );
}

const inDirection = (key: Sql, direction: SortKey['direction']): Sql =>
  direction === 'asc' ? sql`${key} asc nulls last` : sql`${key} desc nulls last`;

/** For each of the fields, in order, the fact of its value; null for a missing one, a list, and any object. */
function sortFacts(fieldIds: readonly string[]): Sql {
  const facts = fieldIds.map((fieldId) => sql`d.facts -> ${fieldId}::text`);
  const scalars = facts.map(
    (fact) => sql`case when jsonb_array_length(${fact}) = 1 and not ${fact} -> 0 ? 'm' then ${fact} -> 0 end`,
  );
  return sql`(select jsonb_build_array(${Sql.join(scalars, ', ')}) from event_document d where d.seq = s.seq)`;
}
