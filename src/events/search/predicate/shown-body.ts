import type { RecordOptions, RowFilter } from '../../../kernel/domain/scopes/caller.js';
import { answerIn } from '../../index/values/document.js';
import { type CopyName, typesWithCopy } from '../../../kernel/domain/secured-fields.js';
import { Sql, sql } from '../../../kernel/sql/sql.js';
import type { Guard } from '../request/guard.js';
import { compileRecheck } from './compile-filter.js';
import { isUnreadOf } from './readable.js';
import { predicateOfRowFilter, scopesThatHide } from './row-filter.js';
import type { SearchContext } from './search-context.js';

/**
 * Needs `d`, a row of `event_document`, and its row `s` of `event_search`; undefined if all are shown as stored.
 *
 * - Without `record.read`, the secured fields are left out, and `dateOfEvent` and `placeOfEvent` are null where they are
 *   copies of one (E-10).
 * - `potentialDuplicates` lists only existing records that the caller may know of (E-9): an entry would reveal a sealed
 *   record, or one of another office.
 */
export function shownBody(
  rowFilter: RowFilter,
  { guard, naming }: Pick<SearchContext, 'guard' | 'naming'>,
): Sql | undefined {
  const admitting = scopesThatHide(rowFilter) ?? naming;
  if (guard === undefined && admitting === undefined) return undefined;
  const isUnread = guard === undefined ? sql`false` : isUnreadOf([...guard.secured.keys()], guard);
  const isListed = admitting === undefined ? sql`false` : sql`${LISTED} <> '[]'`;
  return sql`(select case when not unread and not listed then ${STORED_BODY} else (
      select '{' || string_agg(to_json(key)::text || ':' || case
        ${guard === undefined ? sql`` : securedMembers(guard)}${admitting === undefined ? sql`` : duplicates(admitting)}else value::text end, ',' order by at) || '}'
      from json_each(${STORED_BODY}::json) with ordinality as member (key, value, at)) end
    from (select ${isUnread} as unread, ${isListed} as listed offset 0) as withheld)`;
}

export const STORED_BODY = answerIn(sql`d.body`);

/** The key precedes all client text, and cannot occur inside a text, where quotes are escaped. */
const KEY = '"potentialDuplicates":';
const LISTED = sql`substr(d.body, strpos(d.body, ${KEY}::text) + ${KEY.length}::int, 2)`;

const securedMembers = ({ secured }: Guard): Sql => {
  const ofType = [...secured].map(([type, { fieldIds }]) => sql`when ${type}::text then ${[...fieldIds]}::text[]`);
  return sql`when key = 'declaration' and unread then (
          select '{' || coalesce(string_agg(to_json(field)::text || ':' || content::text, ',' order by place), '') || '}'
          from json_each(value) with ordinality as declared (field, content, place)
          where field <> all(case s.type ${Sql.join(ofType, ' ')} end))
        ${copied(secured, 'dateOfEvent')}${copied(secured, 'placeOfEvent')}`;
};

const copied = (secured: Guard['secured'], copy: CopyName): Sql => {
  const types = typesWithCopy(secured, copy);
  return types.length === 0
    ? sql``
    : sql`when key = ${copy}::text and unread and s.type = any(${types}::text[]) then 'null'
        `;
};

const duplicates = (admitting: readonly RecordOptions[]): Sql =>
  sql`when key = 'potentialDuplicates' and listed then (
          select '[' || coalesce(string_agg(entry::text, ',' order by place), '') || ']'
          from json_array_elements(value) with ordinality as duplicate (entry, place)
          where exists (select from event_search s where s.id = (entry ->> 'id')::uuid and ${compileRecheck(predicateOfRowFilter(admitting))}))
        `;
