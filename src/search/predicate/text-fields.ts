import type { Facet } from '../../derived/terms/terms.js';
import { facetTerm } from '../../derived/terms/terms.js';
import type { TextField } from '../../domain/search-request.js';
import { parseUuid } from '../../domain/uuid.js';
import type { Sql } from '../../sql/sql.js';
import { sql } from '../../sql/sql.js';
import { someOf } from './narrowing.js';
import type { Predicate, RowLeaf } from './predicate.js';
import { NO_PROOF } from './proof.js';
import { proofOfFacet } from './proof-of-facet.js';

interface FacetColumn {
  readonly column: Sql;
  /** Whose terms find its values. */
  readonly facet: Facet;
  /** Whether the terms decide: the values are words that countries choose, and no ids. */
  readonly decides: boolean;
  /** Whether an index on columns finds its values too. */
  readonly index: RowLeaf['index'];
  readonly sortedWithin?: RowLeaf['sortedWithin'];
}

/** Fields of which no two records have the same value. */
const UNIQUE_COLUMNS = {
  trackingId: sql`s.tracking_id`,
  'legalStatuses.REGISTERED.registrationNumber': sql`s.registration_number`,
} satisfies Partial<Record<TextField, Sql>>;

const FACET_COLUMNS: Readonly<Record<Exclude<TextField, 'id' | keyof typeof UNIQUE_COLUMNS>, FacetColumn>> = {
  eventType: { column: sql`s.type`, facet: 'type', decides: true, index: 'with others', sortedWithin: 'type' },
  status: { column: sql`s.status`, facet: 'status', decides: true, index: 'facets', sortedWithin: 'status' },
  createdBy: { column: sql`s.created_by`, facet: 'createdBy', decides: false, index: 'none' },
  createdByUserType: {
    column: sql`s.created_by_user_type`,
    facet: 'createdByUserType',
    decides: true,
    index: 'none',
  },
  updatedBy: { column: sql`s.updated_by`, facet: 'updatedBy', decides: false, index: 'none' },
  updatedByUserRole: { column: sql`s.updated_by_user_role`, facet: 'updatedByUserRole', decides: true, index: 'none' },
  assignedTo: { column: sql`s.assigned_to`, facet: 'assignedTo', decides: false, index: 'none' },
  'legalStatuses.DECLARED.createdByRole': {
    column: sql`s.declared_created_by_role`,
    facet: 'declaredByRole',
    decides: true,
    index: 'none',
  },
  'legalStatuses.REGISTERED.createdByRole': {
    column: sql`s.registered_created_by_role`,
    facet: 'registeredByRole',
    decides: true,
    index: 'none',
  },
};

/** The field is one of `terms`, compared whole and case-sensitively (S-7). */
export function predicateOfText(field: TextField, terms: readonly string[]): Predicate {
  switch (field) {
    case 'id':
      return oneOfUnique(sql`s.id = any(${terms.filter(isCanonicalUuid)}::uuid[])`, terms.length);
    case 'trackingId':
    case 'legalStatuses.REGISTERED.registrationNumber':
      return oneOfUnique(sql`${UNIQUE_COLUMNS[field]} = any(${terms}::text[])`, terms.length);
    default:
      return oneOfFacet(FACET_COLUMNS[field], terms);
  }
}

const oneOfUnique = (condition: Sql, rows: number): Predicate => ({
  kind: 'row',
  condition,
  narrowing: { kind: 'none' },
  decides: false,
  proof: NO_PROOF,
  index: 'own',
  size: { by: 'rows', rows },
});

const oneOfFacet = (
  { column, facet, decides, index, sortedWithin }: FacetColumn,
  terms: readonly string[],
): Predicate => ({
  kind: 'row',
  condition: terms.length === 1 ? sql`${column} = ${terms[0]}::text` : sql`${column} = any(${terms}::text[])`,
  narrowing: someOf(terms, (term) => facetTerm(facet, term)),
  decides,
  proof: decides ? proofOfFacet(facet, terms) : NO_PROOF,
  index,
  ...(sortedWithin === undefined || terms.length !== 1 ? {} : { sortedWithin }),
});

/** An id is kept in lower case, so that no other spelling is the same text. */
const isCanonicalUuid = (text: string): boolean => parseUuid(text) === text;
