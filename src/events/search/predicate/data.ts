import { factsAfter, factsIn, factsOfField, lineOf } from '../../index/values/document.js';
import { type DataPath, fieldOf, keyOf } from '../../index/values/data-path.js';
import type { AnyFieldCondition, DataMember } from '../../../kernel/domain/search-request.js';
import { type Sql, sql } from '../../../kernel/sql/sql.js';
import { ANY_RECORD, type Candidates, coarse, dataLeaf, inSomeField, isNothing } from './candidate-terms.js';
import { anyOfParts, type Predicate } from './predicate.js';
import { fieldAt, Once, type SearchContext } from './search-context.js';
import { candidatesOfAnyField } from './any-field.js';
import { candidateTermsOfMembers } from './candidate-terms-of-inside.js';
import { compileFact } from './fact.js';
import { candidatesOfField } from './field-candidates.js';
import { candidatesOfTerm, fuzzyFields } from './fuzzy.js';
import { DOCUMENT, factsOfValue } from './stored-fact.js';

export const CANDIDATES = new Once<Candidates>();

/** S-10. */
export function predicateOfMember(member: DataMember, context: SearchContext): Predicate {
  const { key, input } = member;
  const isMet = (): Sql => compileFact(input, { kind: 'field', path: fieldOf(key) }, context);
  return predicateOf(candidatesOfMember(member, context), () =>
    ofDeclaration(sql`exists (select from ${factsOfValue(factsOfField(DOCUMENT, key))} where ${isMet()})`),
  );
}

export const candidatesOfMember = (member: DataMember, context: SearchContext): Candidates =>
  CANDIDATES.of(context.workedOut, member, () => {
    const field = fieldAt(fieldOf(member.key), context);
    return member.input.type === 'map'
      ? coarse(candidateTermsOfMembers(member.input.members, field.path, field, context))
      : candidatesOfField(member.input, field, context);
  });

/** S-10. */
export function predicateOfAnyField(condition: AnyFieldCondition, context: SearchContext): Predicate {
  const fields = condition.type === 'fuzzy' ? fuzzyFields(condition, context)?.map(({ path }) => path) : undefined;
  const isMet = (): Sql => compileFact(condition, { kind: 'everyField' }, context);
  return predicateOf(candidatesOfSomeField(condition, context), (paths = fields) =>
    ofDeclaration(sql`exists (select from ${factsOfFields(paths)} where ${isMet()})`),
  );
}

export const candidatesOfSomeField = (condition: AnyFieldCondition, context: SearchContext): Candidates =>
  CANDIDATES.of(context.workedOut, condition, () => {
    if (condition.type !== 'fuzzy') return candidatesOfAnyField(condition, context);
    const fields = fuzzyFields(condition, context);
    return fields === undefined
      ? ANY_RECORD
      : inSomeField(new Map(fields.map((field) => [field.path, candidatesOfTerm(field.near, field)])));
  });

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
