import { wordsOf } from '../../src/events/index/values/fold.js';
import { DAY_MS } from '../../src/kernel/domain/calendar.js';
import { NAME_FIELDS } from '../data/national-declaration.js';
import { encodedField, WORDS } from './document.js';

/** The conditions of the 22 kinds of search, as a request spells them. */
type Condition =
  | { readonly type: 'exact' | 'fuzzy' | 'timePeriod'; readonly term: string }
  | { readonly type: 'anyOf'; readonly terms: readonly string[] }
  | { readonly type: 'within'; readonly location: string }
  | { readonly type: 'range'; readonly gte: string; readonly lte: string };

interface Flags {
  readonly anyOf?: readonly string[];
  readonly noneOf?: readonly string[];
}

type Data = Condition | Readonly<Record<string, Condition>>;
type Query = Readonly<Record<string, unknown>>;

/** A clause of a request: an expression, or a nested query. */
export type Clause = Readonly<Record<string, unknown>>;

/** Where a condition on any field looks: what holds free text, field by field, as OpenCRVS's quick search asks. */
const FREE_TEXT = [
  ...NAME_FIELDS.map((id) => wordsOfName(id)),
  ...['mother', 'deceased', 'spouse', 'bride', 'groom'].map((who) => wordsOfAddress(`${who}.address`)),
];

const LIMIT = 100;

/** A search as OpenCRVS sends it: a page of a hundred by relevance, then the latest update, and the exact total. */
export const searchBody = (query: Clause): object => ({
  query: clauseOf(query),
  size: LIMIT,
  track_total_hits: true,
  sort: [{ _score: 'desc' }, { updatedAt: 'desc' }],
});

function clauseOf(clause: Clause): Query {
  const { type, clauses } = clause;
  if (!Array.isArray(clauses)) {
    return { bool: { must: Object.entries(clause).flatMap(([key, value]) => keyOf(key, value)) } };
  }
  const parts = (clauses as readonly Clause[]).map(clauseOf);
  return { bool: type === 'or' ? { should: parts, minimum_should_match: 1 } : { must: parts } };
}

function keyOf(key: string, value: unknown): Query[] {
  switch (key) {
    case 'id':
      return [{ term: { id: value } }];
    case 'eventType':
      return [{ term: { type: value } }];
    case 'flags':
      return flagsOf(value as Flags);
    case 'data':
      return dataOf(value as Data);
    default:
      return [conditionOf(key, value as Condition)];
  }
}

const flagsOf = ({ anyOf, noneOf }: Flags): Query[] => [
  ...(anyOf === undefined ? [] : [{ terms: { flags: anyOf } }]),
  ...(noneOf === undefined ? [] : [{ bool: { must_not: { terms: { flags: noneOf } } } }]),
];

function conditionOf(field: string, condition: Condition): Query {
  switch (condition.type) {
    case 'exact':
      return { term: { [field]: condition.term } };
    case 'anyOf':
      return { terms: { [field]: condition.terms } };
    case 'within':
      return { term: { [field]: condition.location } };
    case 'range':
      return { range: { [field]: { gte: condition.gte, lte: condition.lte } } };
    case 'timePeriod':
      return { range: { [field]: periodOf(condition.term) } };
    case 'fuzzy':
      throw new Error(`${field}: only values of a declaration are searched roughly`);
  }
}

/** `last7Days` and the like. */
function periodOf(term: string): object {
  const now = Date.now();
  const days = Number(/\d+/.exec(term)?.[0]);
  return { gte: new Date(now - days * DAY_MS).toISOString(), lte: new Date(now).toISOString() };
}

function dataOf(data: Data): Query[] {
  if (isCondition(data)) return [{ bool: { should: FREE_TEXT.map((field) => textOf(field, data)) } }];
  return Object.entries(data).map(([id, condition]) => {
    if (id.endsWith('.name')) return textOf(wordsOfName(id), condition);
    const field = `declaration.${encodedField(id)}`;
    return conditionOf(id.endsWith('.address') ? `${field}.administrativeArea` : field, condition);
  });
}

const isCondition = (data: Data): data is Condition => typeof data.type === 'string';

function wordsOfName(id: string): string {
  return `declaration.${encodedField(id)}.${WORDS.name}`;
}

function wordsOfAddress(id: string): string {
  return `declaration.${encodedField(id)}.${WORDS.address}`;
}

/** Each word of the term is one of the field's, or near one: OpenCRVS leaves it at any word of the term. */
function textOf(field: string, condition: Condition): Query {
  if (!('term' in condition)) throw new Error(`${field}: text is compared with a term`);
  const fuzziness = condition.type === 'fuzzy' ? { fuzziness: 'AUTO' } : {};
  return { match: { [field]: { query: wordsOf(condition.term).join(' '), operator: 'and', ...fuzziness } } };
}
