import type { EventRecord } from '../../domain/event-record.js';
import type { Fact, Facts } from './facts.js';
import { factsOf } from './facts.js';
import { termHash } from './term-hash.js';

/**
 * The terms of a record: hashes of `field=value`, by which one index finds it. A record that satisfies a condition has
 * the terms that `narrowingOfMembers` says the condition needs; the converse is not so, since a term is coarser than a
 * condition and two terms can have one hash: the condition itself is checked too. A term can be there twice.
 *
 * `facts` are those of the record's declaration.
 */
export function termsOf(record: EventRecord, facts: Facts = factsOf(record.declaration)): bigint[] {
  const terms: bigint[] = [];
  for (const [facet, valuesOf] of FACETS) {
    for (const value of valuesOf(record)) if (value !== null) terms.push(facetTerm(facet, value));
  }
  addTermsOfFacts(terms, facts, DATA);
  return terms;
}

const FACET_VALUES = {
  type: (record: EventRecord) => [record.type],
  status: (record: EventRecord) => [record.status],
  flag: (record: EventRecord) => record.flags,
  createdBy: (record: EventRecord) => [record.createdBy],
  createdByUserType: (record: EventRecord) => [record.createdByUserType],
  createdAtLocation: (record: EventRecord) => [record.createdAtLocation],
  updatedBy: (record: EventRecord) => [record.updatedBy],
  updatedByUserRole: (record: EventRecord) => [record.updatedByUserRole],
  updatedAtLocation: (record: EventRecord) => [record.updatedAtLocation],
  assignedTo: (record: EventRecord) => [record.assignedTo],
  declaredByRole: ({ legalStatuses }: EventRecord) => [legalStatuses.DECLARED?.createdByRole ?? null],
  declaredAtLocation: ({ legalStatuses }: EventRecord) => [legalStatuses.DECLARED?.createdAtLocation ?? null],
  registeredByRole: ({ legalStatuses }: EventRecord) => [legalStatuses.REGISTERED?.createdByRole ?? null],
  registeredAtLocation: ({ legalStatuses }: EventRecord) => [legalStatuses.REGISTERED?.createdAtLocation ?? null],
} satisfies Record<string, (record: EventRecord) => readonly (string | null)[]>;

/** A part of a record's metadata that has terms. */
export type Facet = keyof typeof FACET_VALUES;

const FACETS = Object.entries(FACET_VALUES) as [Facet, (record: EventRecord) => readonly (string | null)[]][];

export const facetTerm = (facet: Facet, value: string): bigint => termHash(`${facet}=${value}`);

/** What a fact has terms of. */
export type DataAspect =
  /** The whole text, as `Fact.t`. */
  | 'text'
  /** The number. */
  | 'number'
  /** One word of a name, or of a text that has more to it than that word; but see `hasDate` and `hasId`. */
  | 'word'
  /** The location. */
  | 'location'
  /** The country of an address. */
  | 'country'
  /** The month of a date, `YYYY-MM`; its day is its text. */
  | 'month'
  /** That there is a date, whose words have no terms. */
  | 'hasDate'
  /** That there is a UUID as a member of a value, whose words have no terms: there is one in every address. */
  | 'hasId'
  /** The first character of a text that begins with a digit, for ranges. */
  | 'digit'
  /** That there is a number, for ranges. */
  | 'hasNumber'
  /** That there is a date range. */
  | 'hasDateRange';

/** Where in a declaration: the field id, and the keys that maps go through below it. */
export type DataPath = string & { readonly dataPath: unique symbol };

/** The declaration itself. */
export const DATA = 'data' as DataPath;

export const memberOf = (path: DataPath, key: string): DataPath => `${path}/${key}` as DataPath;

/** The field id of a field of the declaration. */
export const keyOf = (field: DataPath): string => field.slice(DATA.length + 1);

export const dataTerm = (path: DataPath, aspect: DataAspect, value: string): bigint =>
  termHash(`${path} ${aspect}=${value}`);

function addTermsOfFacts(terms: bigint[], facts: Facts, parent: DataPath): void {
  for (const [key, alternatives] of Object.entries(facts)) {
    const path = memberOf(parent, key);
    for (const fact of alternatives) {
      addTermsOfFact(terms, fact, path);
      addTermsOfWords(terms, fact, path, parent === DATA);
      if (fact.m !== undefined) addTermsOfFacts(terms, fact.m, path);
    }
  }
}

function addTermsOfFact(terms: bigint[], { t, x, n, d, r, a, c }: Fact, path: DataPath): void {
  if (t !== undefined) terms.push(dataTerm(path, 'text', t));
  if (x !== undefined && beginsWithDigit(x)) terms.push(dataTerm(path, 'digit', x.charAt(0)));
  if (n !== undefined) terms.push(dataTerm(path, 'number', String(n)), dataTerm(path, 'hasNumber', ''));
  if (d !== undefined) terms.push(dataTerm(path, 'month', d.slice(0, 7)));
  if (r !== undefined) terms.push(dataTerm(path, 'hasDateRange', ''));
  if (a !== undefined) terms.push(dataTerm(path, 'location', a));
  if (c !== undefined) terms.push(dataTerm(path, 'country', c));
}

function addTermsOfWords(terms: bigint[], { t, d, w, q = [], a }: Fact, path: DataPath, isField: boolean): void {
  for (const word of w ?? []) terms.push(dataTerm(path, 'word', word));
  if (d !== undefined) terms.push(dataTerm(path, 'hasDate', ''));
  else if (a !== undefined && t !== undefined && !isField) terms.push(dataTerm(path, 'hasId', ''));
  else for (const word of q) if (word !== t) terms.push(dataTerm(path, 'word', word));
}

export const beginsWithDigit = (text: string): boolean => /^[0-9]/.test(text);
