import type { RowFilter } from '../../../kernel/domain/scopes/caller.js';
import type { AnyFieldCondition, Clause, Condition, DataMember, Query } from '../../../kernel/domain/search-request.js';
import { absurd } from '../../../kernel/errors/service-error.js';
import { type Sql, sql } from '../../../kernel/sql/sql.js';
import { type DataPath, fieldOf, keyOf } from '../../index/values/data-path.js';
import { factsAfter, factsIn, factsOfField, lineOf } from '../../index/values/document.js';
import { type Guard, isOnSecured } from '../request/refuse-secured.js';
import { candidatesOfAnyField } from './any-field.js';
import { candidateTermsOfMembers } from './candidate-terms-of-inside.js';
import { ANY_RECORD, type Candidates, coarse, dataLeaf, inSomeField, isNothing } from './candidate-terms.js';
import { compileFact } from './fact.js';
import { DOCUMENT, factsOfValue } from './stored-fact.js';
import { candidatesOfField } from './field-candidates.js';
import { candidatesOfTerm, type FuzzyField, fuzzyFields } from './fuzzy.js';
import { allOfParts, anyOfParts, compileRecheck, type Predicate } from './predicate.js';
import {
  predicateOfFlags,
  predicateOfInstant,
  predicateOfLocation,
  predicateOfRowFilter,
  predicateOfText,
} from './row-filter.js';
import { fieldAt, type SearchContext } from './search-context.js';

/** The records on which the caller may learn the result; undefined: all (E-10). */
export const readableFor = (condition: Condition, { guard, terms }: SearchContext): Predicate | undefined =>
  guard !== undefined && isOnSecured(condition, guard) ? predicateOfRowFilter(guard.readable, terms) : undefined;

/** Over a row `s`, for records of these event types. Never NULL. */
export const isUnreadOf = (types: readonly string[], { readable }: Guard): Sql =>
  sql`(s.type = any(${types}::text[]) and (${compileRecheck(predicateOfRowFilter(readable))}) is not true)`;

/** S-1, S-6. */
export function predicateOfQuery(query: Query, context: SearchContext): Predicate {
  const clauses = query.clauses.map((clause) => predicateOfClause(clause, context));
  return query.kind === 'and' ? allOfParts(clauses) : anyOfParts(clauses);
}

export const predicateOfClause = (clause: Clause, context: SearchContext): Predicate =>
  clause.kind === 'expression'
    ? allOfParts(clause.conditions.map((condition) => predicateOfCondition(condition, context)))
    : predicateOfQuery(clause, context);

/** On a secured field, only for records that the caller may read (E-10). */
export function predicateOfCondition(condition: Condition, context: SearchContext): Predicate {
  const holds = predicateOfUnguarded(condition, context);
  const readable = readableFor(condition, context);
  return readable === undefined ? holds : allOfParts([holds, readable]);
}

function predicateOfUnguarded(condition: Condition, context: SearchContext): Predicate {
  switch (condition.on) {
    case 'text':
      return predicateOfText(condition.field, condition.terms, context.terms);
    case 'instant':
      return predicateOfInstant(condition.field, condition.condition, context);
    case 'location':
      return predicateOfLocation(condition, context);
    case 'flags':
      return predicateOfFlags(condition, context.terms);
    case 'data':
      return allOfParts(condition.members.map((member) => predicateOfMember(member, context)));
    case 'anyField':
      return predicateOfAnyField(condition.condition, context);
    default:
      return absurd(condition);
  }
}

/** The row filter ANDed with the query (A-10). */
export function predicateOfMatches(query: Query, rowFilter: RowFilter, context: SearchContext): Predicate {
  const asked = predicateOfQuery(query, context);
  return rowFilter === 'everything' ? asked : restricted(asked, rowFilter, context);
}

export const restricted = (
  asked: Predicate,
  rowFilter: Exclude<RowFilter, 'everything'>,
  { terms }: SearchContext,
): Predicate => allOfParts([asked, predicateOfRowFilter(rowFilter, terms)]);

/** S-10. */
export function predicateOfMember(member: DataMember, context: SearchContext): Predicate {
  const { key, input } = member;
  const isMet = (): Sql => compileFact(input, { kind: 'field', path: fieldOf(key) }, context);
  return predicateOf(candidatesOfMember(member, context), () =>
    ofDeclaration(sql`exists (select from ${factsOfValue(factsOfField(DOCUMENT, key))} where ${isMet()})`),
  );
}

function candidatesOfMember({ key, input }: DataMember, context: SearchContext): Candidates {
  const field = fieldAt(fieldOf(key), context);
  return input.type === 'map'
    ? coarse(candidateTermsOfMembers(input.members, field.path, field, context))
    : candidatesOfField(input, field, context);
}

/** S-10. */
function predicateOfAnyField(condition: AnyFieldCondition, context: SearchContext): Predicate {
  const isMet = (): Sql => compileFact(condition, { kind: 'everyField' }, context);
  const recheck = (paths: readonly DataPath[] | undefined): Sql =>
    ofDeclaration(sql`exists (select from ${factsOfFields(paths)} where ${isMet()})`);
  if (condition.type !== 'fuzzy') return predicateOf(candidatesOfAnyField(condition, context), recheck);
  const fields = fuzzyFields(condition.term, context);
  return predicateOf(candidatesOfFuzzyFields(fields), (paths = fields?.map(({ path }) => path)) => recheck(paths));
}

export const candidatesOfFuzzyFields = (fields: readonly FuzzyField[] | undefined): Candidates =>
  fields === undefined
    ? ANY_RECORD
    : inSomeField(new Map(fields.map((field) => [field.path, candidatesOfTerm(field.near, field)])));

/**
 * `recheck` is the check on the document. Exact matches are found separately, so that no record is compared with the
 * terms of both.
 */
function predicateOf(
  { candidateTerms, exact, coarse: others, decides, mayMatchIn }: Candidates,
  recheck: (fields?: readonly DataPath[]) => Sql,
): Predicate {
  if (decides) return dataLeaf(candidateTerms);
  if (isNothing(exact)) return dataLeaf(candidateTerms, recheck(mayMatchIn));
  return anyOfParts([dataLeaf(exact), dataLeaf(others, recheck(mayMatchIn))]);
}

/** With more fields, going through all fields of a record costs less. */
const FEW_FIELDS = 64;

/** `fact`: of these fields if they are few; otherwise of all fields. Unpacks the document once. */
export const factsOfFields = (fields: readonly DataPath[] | undefined): Sql =>
  fields === undefined || fields.length > FEW_FIELDS
    ? sql`jsonb_each(${factsIn(DOCUMENT)}) as field, ${factsOfValue(sql`field.value`)}`
    : sql`(select d.body || '' as body offset 0) as plain, unnest(${fields.map((path) => lineOf(keyOf(path)))}::text[]) as line, ${factsOfValue(factsAfter(sql`plain.body`, sql`line`))}`;

/** The planner may turn `exists` into a join with all documents. Never NULL: every record has a document. */
export const ofDeclaration = (condition: Sql): Sql =>
  sql`(select ${condition} from event_document d where d.seq = s.seq)`;
