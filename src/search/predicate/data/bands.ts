import { fieldOf } from '../../../derived/values/data-path.js';
import type { Clause, Condition, DataMember, Query, ValueCondition } from '../../../domain/search-request.js';
import { isFuzzyCondition, isFuzzyInput, hasFuzzy } from '../../request/has-fuzzy.js';
import { isNothing } from '../narrowing.js';
import type { Predicate } from '../predicate.js';
import { allOfParts, anyOfParts } from '../predicate.js';
import { predicateOfClause, predicateOfCondition } from '../query.js';
import type { SearchContext } from '../search-context.js';
import { Once } from '../worked-out.js';
import type { Candidates } from './candidates.js';
import { eitherOf } from './candidates.js';
import { candidatesOfMember, candidatesOfSomeField, leafOfMember } from './data.js';
import { trustedLeafOf } from './data-leaf.js';
import { fieldAt } from './field.js';
import type { FuzzyField } from './fuzzy.js';
import { candidatesOfWords, fuzzyFields, nearWordsOf } from './fuzzy.js';

/**
 * Matches that take so many edits, as `compileEdits` counts them. A record can be in several bands: the least counts.
 */
export interface Band {
  readonly edits: number;
  readonly matches: Predicate;
}

/** Not known: the edits of each match have to be counted. */
export type Bands = readonly Band[] | undefined;

const BANDS = new Once<Bands>();

/** Past so many, to look matches up in each costs more than to count the edits of each match. */
const MOST_BANDS = 5;

const MOST_WORDS = 2;

/**
 * The matches of a query by the number of their edits (S-12), so that those of common names need not be counted one by
 * one; undefined where terms alone do not tell them. For a context that trusts terms.
 */
export function bandsOf(query: Query, context: SearchContext): Bands {
  const bands = bandsOfClause(query, context);
  return bands?.length === 0 ? undefined : bands;
}

function bandsOfClause(clause: Clause, context: SearchContext): Bands {
  if (!hasFuzzy(clause)) return [{ edits: 0, matches: predicateOfClause(clause, context) }];
  switch (clause.kind) {
    case 'and':
      return sumOf(clause.clauses.map((inner) => bandsOfClause(inner, context)));
    case 'or':
      return leastOf(clause.clauses.map((inner) => bandsOfClause(inner, context)));
    case 'expression':
      return sumOf(clause.conditions.map((condition) => bandsOfCondition(condition, context)));
  }
}

function bandsOfCondition(condition: Condition, context: SearchContext): Bands {
  if (!isFuzzyCondition(condition)) return [{ edits: 0, matches: predicateOfCondition(condition, context) }];
  if (condition.on === 'data') return sumOf(condition.members.map((member) => bandsOfMember(member, context)));
  return condition.on === 'anyField' ? bandsOfSomeField(condition.condition, context) : undefined;
}

/** Those of a condition on any field. */
export const bandsOfSomeField = (condition: ValueCondition, context: SearchContext): Bands =>
  BANDS.of(context.workedOut, condition, () => {
    const fields = condition.type === 'fuzzy' ? fuzzyFields(condition, context) : undefined;
    return fields === undefined ? undefined : bandsOfFields(fields, candidatesOfSomeField(condition, context));
  });

/** Those of a condition on one field. */
export const bandsOfMember = (member: DataMember, context: SearchContext): Bands =>
  BANDS.of(context.workedOut, member, () => {
    const { key, input } = member;
    if (!isFuzzyInput(input)) return [{ edits: 0, matches: leafOfMember(member, context) }];
    if (input.type !== 'fuzzy') return undefined;
    const field = fieldAt(fieldOf(key), context);
    const near = nearWordsOf(input.term, field.path, context.dictionary);
    return bandsOfFields([{ ...field, near }], candidatesOfMember(member, context));
  });

/** Some of the fields has, for each word, one that is so near. */
function bandsOfFields(fields: readonly FuzzyField[], { decides }: Candidates): Bands {
  if (!decides) return undefined;
  const words = fields[0]?.near.length ?? 0;
  if (words > MOST_WORDS) return undefined;
  const bands: Band[] = [];
  for (const nearness of nearnessOf(words)) {
    const candidates = eitherOf(
      fields.map((field) =>
        candidatesOfWords(
          field.near.map((near, at) => near.filter(({ edits }) => edits === nearness[at])),
          field,
        ),
      ),
    );
    if (!candidates.decides) return undefined;
    if (isNothing(candidates.narrowing)) continue;
    bands.push({ edits: nearness.reduce((sum, edits) => sum + edits, 0), matches: trustedLeafOf(candidates) });
  }
  return merged(bands);
}

/** Each combination of the edits that words can take: one number for each word. */
const nearnessOf = (words: number): readonly (readonly number[])[] =>
  Array.from({ length: words }).reduce<readonly (readonly number[])[]>(
    (all) => all.flatMap((nearness) => [0, 1, 2].map((edits) => [...nearness, edits])),
    [[]],
  );

/** All of them hold, and the edits are added. */
const sumOf = (parts: readonly Bands[]): Bands =>
  parts.reduce<Bands>(
    (sums, part) =>
      sums &&
      part &&
      merged(
        sums.flatMap((sum) =>
          part.map(({ edits, matches }) => ({
            edits: sum.edits + edits,
            matches: allOfParts([sum.matches, matches]),
          })),
        ),
      ),
    [{ edits: 0, matches: allOfParts([]) }],
  );

/** One of them holds, and the fewest edits count. */
const leastOf = (alternatives: readonly Bands[]): Bands =>
  alternatives.reduce<Bands>((all, bands) => all && bands && merged([...all, ...bands]), []);

function merged(bands: readonly Band[]): Bands {
  const numbers = [...new Set(bands.map(({ edits }) => edits))].toSorted((a, b) => a - b);
  if (numbers.length > MOST_BANDS) return undefined;
  return numbers.map((number) => ({
    edits: number,
    matches: anyOfParts(bands.filter(({ edits }) => edits === number).map(({ matches }) => matches)),
  }));
}
