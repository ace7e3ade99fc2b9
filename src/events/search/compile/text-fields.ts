import type { TextField } from '../../../domain/search-request.js';
import { parseUuid } from '../../../domain/uuid.js';
import type { Sql } from '../../../sql/sql.js';
import { sql } from '../../../sql/sql.js';
import type { Facet } from '../terms.js';
import { facetTerm } from '../terms.js';
import { narrowed, someOf } from './narrowing.js';

interface TextColumn {
  readonly column: Sql;
  /** Which terms find its values; absent for a column with an index of its own. */
  readonly facet?: Facet;
}

const TEXT_COLUMNS: Readonly<Record<Exclude<TextField, 'id'>, TextColumn>> = {
  eventType: { column: sql`s.type` },
  status: { column: sql`s.status` },
  trackingId: { column: sql`s.tracking_id` },
  createdBy: { column: sql`s.created_by`, facet: 'createdBy' },
  createdByUserType: { column: sql`s.created_by_user_type`, facet: 'createdByUserType' },
  updatedBy: { column: sql`s.updated_by`, facet: 'updatedBy' },
  updatedByUserRole: { column: sql`s.updated_by_user_role`, facet: 'updatedByUserRole' },
  assignedTo: { column: sql`s.assigned_to`, facet: 'assignedTo' },
  'legalStatuses.DECLARED.createdByRole': { column: sql`s.declared_created_by_role`, facet: 'declaredByRole' },
  'legalStatuses.REGISTERED.createdByRole': { column: sql`s.registered_created_by_role`, facet: 'registeredByRole' },
  'legalStatuses.REGISTERED.registrationNumber': { column: sql`s.registration_number` },
};

/** The field is one of `terms`, compared whole and case-sensitively (S-7). */
export function compileText(field: TextField, terms: readonly string[]): Sql {
  if (field === 'id') return sql`s.id = any(${terms.filter(isCanonicalUuid)}::uuid[])`;
  const { column, facet } = TEXT_COLUMNS[field];
  const condition = sql`${column} = any(${terms}::text[])`;
  if (facet === undefined) return condition;
  return narrowed(
    someOf(terms, (term) => facetTerm(facet, term)),
    condition,
  );
}

/** An id is kept in lower case, so that no other spelling is the same text. */
const isCanonicalUuid = (text: string): boolean => parseUuid(text) === text;
