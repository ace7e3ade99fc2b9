import type { DataMember, ValueCondition } from '../../../domain/search-request.js';
import type { Sql } from '../../../sql/sql.js';
import { all, sql } from '../../../sql/sql.js';
import { DATA, keyOf, memberOf } from '../terms.js';
import { compileFact } from './fact.js';
import type { FuzzyField } from './fuzzy.js';
import { fuzzyFields, narrowingOfFields } from './fuzzy.js';
import { narrowingOfMembers } from './narrowing-of-data.js';
import type { DataLeaf } from './data-leaf.js';
import { compileDataLeaf, NO_PROOF } from './data-leaf.js';
import type { Narrowing } from './narrowing.js';
import type { SearchContext } from './search-context.js';

/** Each of the fields satisfies its condition, or is gone into by its map (S-10): all of the leaves hold. */
export const leavesOfData = (members: readonly DataMember[], context: SearchContext): readonly DataLeaf[] =>
  members.map((member) =>
    leaf(narrowingOfMembers([member], DATA, context), ofDeclaration(compileMembers([member], context))),
  );

export const compileData = (members: readonly DataMember[], context: SearchContext): Sql =>
  all(leavesOfData(members, context).map(compileDataLeaf));

const leaf = (narrowing: Narrowing, recheck: Sql): DataLeaf => ({
  kind: 'data',
  narrowing,
  decides: false,
  proof: NO_PROOF,
  recheck,
});

/** Some field of the declaration satisfies the condition (S-10). */
export function leafOfAnyField(condition: ValueCondition, context: SearchContext): DataLeaf {
  const isMet = compileFact(condition, 'everyField', context);
  if (condition.type !== 'fuzzy') {
    return leaf(
      { kind: 'none' },
      ofDeclaration(
        sql`exists (select from jsonb_each(d.facts) as field, jsonb_array_elements(field.value) as f(fact) where ${isMet})`,
      ),
    );
  }
  const fields = fuzzyFields(condition.term, context.dictionary);
  return leaf(
    narrowingOfFields(fields),
    ofDeclaration(sql`exists (select from ${factsOfFields(fields)} where ${isMet})`),
  );
}

export const compileAnyField = (condition: ValueCondition, context: SearchContext): Sql =>
  compileDataLeaf(leafOfAnyField(condition, context));

/** `fact`: each of those of the fields, and no others, which are many. The document is unpacked once for all of them. */
export const factsOfFields = (fields: readonly FuzzyField[]): Sql =>
  sql`(select d.facts #> '{}' as facts offset 0) as plain, unnest(${fields.map(({ path }) => keyOf(path))}::text[]) as key, jsonb_array_elements(plain.facts -> key) as f(fact)`;

const compileMembers = (members: readonly DataMember[], context: SearchContext): Sql =>
  all(
    members.map(
      ({ key, input }) =>
        sql`exists (select from jsonb_array_elements(d.facts -> ${key}::text) as f(fact) where ${compileFact(input, memberOf(DATA, key), context)})`,
    ),
  );

/**
 * A scalar subquery and not `exists`, which the planner may turn into a join with every document there is. A record
 * always has a document, so that the value is never NULL.
 */
export const ofDeclaration = (condition: Sql): Sql =>
  sql`(select ${condition} from event_document d where d.seq = s.seq)`;
