import { factsAfter, factsIn, factsOfField, lineOf } from '../../../derived/values/document.js';
import { fieldOf, keyOf } from '../../../derived/values/data-path.js';
import type { DataMember, ValueCondition } from '../../../domain/search-request.js';
import type { Sql } from '../../../sql/sql.js';
import { sql } from '../../../sql/sql.js';
import type { SearchContext } from '../search-context.js';
import { Once } from '../worked-out.js';
import { candidatesOfAnyField } from './any-field.js';
import { candidateTermsOfMembers } from './candidate-terms-of-inside.js';
import type { Candidates } from './candidates.js';
import { ANY_RECORD, eitherOf, unsure } from './candidates.js';
import type { DataLeaf } from './data-leaf.js';
import { leafOf } from './data-leaf.js';
import { compileFact } from './fact.js';
import { fieldAt } from './field.js';
import { candidatesOfField } from './field-candidates.js';
import type { FuzzyField } from './fuzzy.js';
import { candidatesOfWords, fuzzyFields } from './fuzzy.js';
import { DOCUMENT, factsOfValue } from './stored-fact.js';

/** The candidates of each condition. */
export const CANDIDATES = new Once<Candidates>();

/** Each of the fields satisfies its condition, or the map in its place (S-10): all leaves hold. */
export const leavesOfData = (members: readonly DataMember[], context: SearchContext): readonly DataLeaf[] =>
  members.map((member) => leafOfMember(member, context));

/** One field satisfies its condition, or the map in its place. */
export function leafOfMember(member: DataMember, context: SearchContext): DataLeaf {
  const { key, input } = member;
  const isMet = (): Sql => compileFact(input, { kind: 'field', path: fieldOf(key) }, context);
  return leafOf(
    candidatesOfMember(member, context),
    () => ofDeclaration(sql`exists (select from ${factsOfValue(factsOfField(DOCUMENT, key))} where ${isMet()})`),
    context,
  );
}

/** The records that may satisfy it, by their terms. */
export const candidatesOfMember = (member: DataMember, context: SearchContext): Candidates =>
  CANDIDATES.of(context.workedOut, member, () => {
    const field = fieldAt(fieldOf(member.key), context);
    return member.input.type === 'map'
      ? unsure(candidateTermsOfMembers(member.input.members, field.path, field, context))
      : candidatesOfField(member.input, field, context);
  });

/** Some field of the declaration satisfies the condition (S-10). */
export function leafOfAnyField(condition: ValueCondition, context: SearchContext): DataLeaf {
  const fields = condition.type === 'fuzzy' ? fuzzyFields(condition, context) : undefined;
  const isMet = (): Sql => compileFact(condition, { kind: 'everyField' }, context);
  return leafOf(
    candidatesOfSomeField(condition, context),
    () => ofDeclaration(sql`exists (select from ${factsOfFields(fields)} where ${isMet()})`),
    context,
  );
}

/** The records that may satisfy it, by their terms. */
export const candidatesOfSomeField = (condition: ValueCondition, context: SearchContext): Candidates =>
  CANDIDATES.of(context.workedOut, condition, () => {
    if (condition.type !== 'fuzzy') return candidatesOfAnyField(condition, context);
    const fields = fuzzyFields(condition, context);
    return fields === undefined ? ANY_RECORD : eitherOf(fields.map((field) => candidatesOfWords(field.near, field)));
  });

/** More fields are not named: it costs less to go through all fields of a record. */
const FEW_FIELDS = 64;

/**
 * `fact`: the facts of these fields if they are few; otherwise of all fields. The document is unpacked once for all of
 * them.
 */
export const factsOfFields = (fields: readonly FuzzyField[] | undefined): Sql =>
  fields === undefined || fields.length > FEW_FIELDS
    ? sql`jsonb_each(${factsIn(DOCUMENT)}) as field, ${factsOfValue(sql`field.value`)}`
    : sql`(select d.body || '' as body offset 0) as plain, unnest(${fields.map(({ path }) => lineOf(keyOf(path)))}::text[]) as line, ${factsOfValue(factsAfter(sql`plain.body`, sql`line`))}`;

/**
 * A scalar subquery rather than `exists`, which the planner may turn into a join with all documents. A record always
 * has a document, so the value is never NULL.
 */
export const ofDeclaration = (condition: Sql): Sql =>
  sql`(select ${condition} from event_document d where d.seq = s.seq)`;
