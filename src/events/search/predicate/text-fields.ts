import { LRUCache } from 'lru-cache';
import { metadataTerm } from '../../index/terms/metadata-terms.js';
import type { RecordColumn } from '../../../kernel/domain/record-columns.js';
import { SEARCHED_FIELDS } from '../../../kernel/domain/searched-fields.js';
import type { TextField } from '../../../kernel/domain/search-request.js';
import { parseUuid } from '../../../kernel/domain/uuid.js';
import { isOneOf, type Sql, sql } from '../../../kernel/sql/sql.js';
import { someOf } from './candidate-terms.js';
import { type Predicate, rowLeaf, WITHOUT_TERMS } from './predicate.js';
import { NO_PROOF } from './proof.js';
import { proofOfMetadata } from './proof-of-metadata.js';
import { ROW_COLUMNS } from './row-columns.js';

type TextColumn = (typeof SEARCHED_FIELDS)[TextField];

/** Compared whole and case-sensitively (S-7). */
export function predicateOfText(field: TextField, terms: readonly string[]): Predicate {
  const { column, kind, search }: TextColumn = SEARCHED_FIELDS[field];
  if (search.values !== 'unique') {
    const [word, ...others] = terms;
    return search.values === 'words' && word !== undefined && others.length === 0
      ? isWord(field, word, () => oneOfShared(ROW_COLUMNS[column], column, search, terms))
      : oneOfShared(ROW_COLUMNS[column], column, search, terms);
  }
  const values = kind === 'uuid' ? terms.filter(isCanonicalUuid) : terms;
  return oneOfUnique(isOneOf(ROW_COLUMNS[column], values, kind === 'uuid' ? sql`uuid` : sql`text`), terms.length);
}

/** Nearly every search has a condition on one of a few words, such as a status or a type. */
const WORDS = new LRUCache<string, Predicate>({ max: 1_000 });
const LONGEST_KEPT = 100;

function isWord(field: TextField, word: string, make: () => Predicate): Predicate {
  const key = `${field}=${word}`;
  const known = WORDS.get(key);
  if (known !== undefined) return known;
  const made = make();
  if (word.length <= LONGEST_KEPT) WORDS.set(key, made);
  return made;
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
  column: Sql,
  name: RecordColumn,
  search: Exclude<TextColumn['search'], { readonly values: 'unique' }>,
  terms: readonly string[],
): Predicate {
  const { terms: field, values } = search;
  const decides = values === 'words';
  const index = 'index' in search ? search.index : 'none';
  return rowLeaf({
    condition: isOneOf(column, terms, sql`text`),
    candidateTerms: someOf(terms.map((term) => metadataTerm(field, term))),
    decides,
    proof: decides ? proofOfMetadata(field, terms) : NO_PROOF,
    index,
    ...(index === 'none' || terms.length !== 1 ? {} : { sortedWithin: name }),
  });
}

/** An id is stored in lower case: no other spelling matches. */
const isCanonicalUuid = (text: string): boolean => parseUuid(text) === text;
