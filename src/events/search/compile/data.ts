import type { DataMember, ValueCondition } from '../../../domain/search-request.js';
import type { Sql } from '../../../sql/sql.js';
import { sql } from '../../../sql/sql.js';
import { fieldOf, keyOf } from '../data-path.js';
import type { Candidates } from './candidates.js';
import { eitherOf, unsure } from './candidates.js';
import type { DataLeaf } from './data-leaf.js';
import { leafOf } from './data-leaf.js';
import { compileFact } from './fact.js';
import { candidatesOfField } from './field-candidates.js';
import { fieldAt } from './field.js';
import type { FuzzyField } from './fuzzy.js';
import { candidatesOfWords, fuzzyFields } from './fuzzy.js';
import { narrowingOfMembers } from './narrowing-of-inside.js';
import type { SearchContext } from './search-context.js';
import { factsOfValue } from './stored-fact.js';

/** Each of the fields satisfies its condition, or is gone into by its map (S-10): all of the leaves hold. */
export const leavesOfData = (members: readonly DataMember[], context: SearchContext): readonly DataLeaf[] =>
  members.map((member) => leafOfMember(member, context));

/** One field satisfies its condition, or is gone into by its map. */
export function leafOfMember(member: DataMember, context: SearchContext): DataLeaf {
  const { key, input } = member;
  const isMet = (): Sql => compileFact(input, { kind: 'field', path: fieldOf(key) }, context);
  return leafOf(
    candidatesOfMember(member, context),
    () => ofDeclaration(sql`exists (select from ${factsOfValue(sql`d.facts -> ${key}::text`)} where ${isMet()})`),
    context,
  );
}

function candidatesOfMember({ key, input }: DataMember, context: SearchContext): Candidates {
  const field = fieldAt(fieldOf(key), context);
  return input.type === 'map'
    ? unsure(narrowingOfMembers(input.members, field.path, field, context))
    : candidatesOfField(input, field, context);
}

/** Some field of the declaration satisfies the condition (S-10). */
export function leafOfAnyField(condition: ValueCondition, context: SearchContext): DataLeaf {
  const isMet = (): Sql => compileFact(condition, { kind: 'everyField' }, context);
  if (condition.type !== 'fuzzy') {
    const fields = [...context.shapes.fields].map((path) => fieldAt(path, context));
    return leafOf(
      eitherOf(fields.map((field) => candidatesOfField(condition, field, context))),
      () =>
        ofDeclaration(
          sql`exists (select from jsonb_each(d.facts) as field, ${factsOfValue(sql`field.value`)} where ${isMet()})`,
        ),
      context,
    );
  }
  const fields = fuzzyFields(condition.term, context);
  return leafOf(
    eitherOf(fields.map((field) => candidatesOfWords(field.near, field))),
    () => ofDeclaration(sql`exists (select from ${factsOfFields(fields)} where ${isMet()})`),
    context,
  );
}

/** `fact`: each of those of the fields, and no others, which are many. The document is unpacked once for all of them. */
export const factsOfFields = (fields: readonly FuzzyField[]): Sql =>
  sql`(select d.facts #> '{}' as facts offset 0) as plain, unnest(${fields.map(({ path }) => keyOf(path))}::text[]) as key, ${factsOfValue(sql`plain.facts -> key`)}`;

/**
 * A scalar subquery and not `exists`, which the planner may turn into a join with every document there is. A record
 * always has a document, so that the value is never NULL.
 */
export const ofDeclaration = (condition: Sql): Sql =>
  sql`(select ${condition} from event_document d where d.seq = s.seq)`;
