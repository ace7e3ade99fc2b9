import type { Terms } from '../../index/terms/terms.js';
import type { RecordColumn } from '../../../kernel/domain/record-columns.js';
import { SEARCHED_FIELDS } from '../../../kernel/domain/searched-fields.js';
import type { TextField } from '../../../kernel/domain/search-request.js';
import { parseUuid } from '../../../kernel/domain/uuid.js';
import { isOneOf, type Sql, sql } from '../../../kernel/sql/sql.js';
import { someOf } from './candidate-terms.js';
import { type Predicate, rowLeaf, WITHOUT_TERMS } from './predicate.js';
import { ROW_COLUMNS } from './row-columns.js';

type TextColumn = (typeof SEARCHED_FIELDS)[TextField];

/** Compared whole and case-sensitively (S-7). Only a search for records needs `terms`. */
export function predicateOfText(field: TextField, values: readonly string[], terms?: Terms): Predicate {
  const { column, kind, search }: TextColumn = SEARCHED_FIELDS[field];
  if (search.values !== 'unique') return oneOfShared(column, search, values, terms);
  const ids = kind === 'uuid' ? values.filter(isCanonicalUuid) : values;
  return oneOfUnique(isOneOf(ROW_COLUMNS[column], ids, kind === 'uuid' ? sql`uuid` : sql`text`), values.length);
}

const oneOfUnique = (condition: Sql, rows: number): Predicate =>
  rowLeaf({
    condition,
    ...WITHOUT_TERMS,
    index: 'own',
    cardinality: { by: 'rows', rows },
  });

/** Terms decide if the values are words chosen by countries rather than ids. */
function oneOfShared(
  column: RecordColumn,
  search: Exclude<TextColumn['search'], { readonly values: 'unique' }>,
  values: readonly string[],
  terms: Terms | undefined,
): Predicate {
  const index = 'index' in search ? search.index : 'none';
  return rowLeaf({
    condition: isOneOf(ROW_COLUMNS[column], values, sql`text`),
    ...(terms === undefined
      ? WITHOUT_TERMS
      : {
          candidateTerms: someOf(values.map((value) => terms.ofMetadata(search.terms, value))),
          decides: search.values === 'words',
        }),
    index,
    ...(index === 'none' || values.length !== 1 ? {} : { sortedWithin: column }),
  });
}

/** An id is stored in lower case: no other spelling matches. */
const isCanonicalUuid = (text: string): boolean => parseUuid(text) === text;
