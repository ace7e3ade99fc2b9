import { fieldOf } from '../../index/values/data-path.js';
import type { AnyFieldCondition, Clause, Condition, DataMember, Query } from '../../../kernel/domain/search-request.js';
import { isFuzzyCondition, isFuzzyInput, hasFuzzy } from '../request/has-fuzzy.js';
import { isNothing } from './candidate-terms.js';
import type { Predicate } from './predicate.js';
import { allOfParts, anyOfParts, leavesOf } from './predicate.js';
import { predicateOfClause, predicateOfCondition } from './query.js';
import { readableFor } from './readable.js';
import type { SearchContext } from './search-context.js';
import { Once } from './worked-out.js';
import type { Candidates } from './candidates.js';
import { eitherOf } from './candidates.js';
import { candidatesOfMember, candidatesOfSomeField, predicateOfMember } from './data.js';
import { dataLeaf } from './data-leaf.js';
import { fieldAt } from './field.js';
import type { FuzzyField } from './fuzzy.js';
import { atEdits, candidatesOfTerm, fuzzyFields, nearTermOf } from './fuzzy.js';
import type { NearRun } from './near-in-value.js';

/** Matches with this many edits (`compileEdits`). A record may be in several classes: the lowest counts. */
export interface EditDistanceClass {
  readonly edits: number;
  readonly matches: Predicate;
}

/** Undefined: the edits of each match must be counted. */
export type EditDistanceClasses = readonly EditDistanceClass[] | undefined;

const CLASSES = new Once<EditDistanceClasses>();

/** With more classes, counting the edits of each match is faster. */
const MOST_CLASSES = 5;

/** An AND of ORs has each condition in many classes. With more, counting edits is faster. */
const MOST_CONDITIONS = 1_500;

const MOST_WORDS = 2;

/** S-12. Undefined where terms do not tell the edits. */
export function editDistanceClassesOf(query: Query, context: SearchContext): EditDistanceClasses {
  const editDistanceClasses = editDistanceClassesOfClause(query, context);
  return editDistanceClasses?.length === 0 ? undefined : editDistanceClasses;
}

function editDistanceClassesOfClause(clause: Clause, context: SearchContext): EditDistanceClasses {
  if (!hasFuzzy(clause)) return [{ edits: 0, matches: predicateOfClause(clause, context) }];
  switch (clause.kind) {
    case 'and':
      return sumOf(clause.clauses.map((inner) => editDistanceClassesOfClause(inner, context)));
    case 'or':
      return leastOf(clause.clauses.map((inner) => editDistanceClassesOfClause(inner, context)));
    case 'expression':
      return sumOf(clause.conditions.map((condition) => editDistanceClassesOfCondition(condition, context)));
  }
}

function editDistanceClassesOfCondition(condition: Condition, context: SearchContext): EditDistanceClasses {
  if (!isFuzzyCondition(condition)) return [{ edits: 0, matches: predicateOfCondition(condition, context) }];
  const classes = editDistanceClassesOfFuzzy(condition, context);
  const readable = readableFor(condition, context);
  if (readable === undefined) return classes;
  return classes?.map(({ edits, matches }) => ({ edits, matches: allOfParts([matches, readable]) }));
}

function editDistanceClassesOfFuzzy(condition: Condition, context: SearchContext): EditDistanceClasses {
  if (condition.on === 'data')
    return sumOf(condition.members.map((member) => editDistanceClassesOfMember(member, context)));
  return condition.on === 'anyField' ? editDistanceClassesOfSomeField(condition.condition, context) : undefined;
}

export const editDistanceClassesOfSomeField = (
  condition: AnyFieldCondition,
  context: SearchContext,
): EditDistanceClasses =>
  CLASSES.of(context.workedOut, condition, () => {
    const fields = condition.type === 'fuzzy' ? fuzzyFields(condition, context) : undefined;
    return fields === undefined
      ? undefined
      : editDistanceClassesOfFields(fields, candidatesOfSomeField(condition, context));
  });

export const editDistanceClassesOfMember = (member: DataMember, context: SearchContext): EditDistanceClasses =>
  CLASSES.of(context.workedOut, member, () => {
    const { key, input } = member;
    if (!isFuzzyInput(input)) return [{ edits: 0, matches: predicateOfMember(member, context) }];
    if (input.type !== 'fuzzy') return undefined;
    const field = fieldAt(fieldOf(key), context);
    const near = nearTermOf(input.term, field, context.dictionary);
    return editDistanceClassesOfFields([{ ...field, near }], candidatesOfMember(member, context));
  });

function editDistanceClassesOfFields(fields: readonly FuzzyField[], { decides }: Candidates): EditDistanceClasses {
  if (!decides) return undefined;
  const lengths = fields.flatMap(({ near: { words, joined } }) => [words, ...joined].map(({ length }) => length));
  if (lengths.some((length) => length > MOST_WORDS)) return undefined;
  const editDistanceClasses: EditDistanceClass[] = [];
  for (const nearness of nearnessOf(lengths)) {
    const candidates = eitherOf(
      fields.map((field) => {
        const { words, joined } = field.near;
        const isAsked = (runs: readonly NearRun[]): boolean => runs.length === nearness.length;
        const asked = (runs: readonly NearRun[]): NearRun[] => runs.map((run, at) => atEdits(run, nearness[at] ?? 0));
        return candidatesOfTerm(
          { words: isAsked(words) ? asked(words) : [], joined: joined.filter(isAsked).map(asked) },
          field,
        );
      }),
    );
    if (!candidates.decides) return undefined;
    if (isNothing(candidates.candidateTerms)) continue;
    editDistanceClasses.push({
      edits: nearness.reduce((sum, edits) => sum + edits, 0),
      matches: dataLeaf(candidates.candidateTerms),
    });
  }
  return merged(editDistanceClasses);
}

/** Every combination, one number for each run. */
const nearnessOf = (lengths: readonly number[]): readonly (readonly number[])[] =>
  [...new Set(lengths)].flatMap((runs) =>
    Array.from({ length: runs }).reduce<readonly (readonly number[])[]>(
      (all) => all.flatMap((nearness) => [0, 1, 2].map((edits) => [...nearness, edits])),
      [[]],
    ),
  );

/** Most parts have one class and are only listed: a new AND for each would take quadratic time. */
function sumOf(parts: readonly EditDistanceClasses[]): EditDistanceClasses {
  let sums: { edits: number; readonly matches: Predicate[] }[] = [{ edits: 0, matches: [] }];
  for (const part of parts) {
    if (part === undefined) return undefined;
    const [only] = part;
    if (only !== undefined && part.length === 1) {
      for (const sum of sums) {
        sum.edits += only.edits;
        sum.matches.push(only.matches);
      }
      continue;
    }
    if (countOfProduct(sums, part) > MOST_CONDITIONS) return undefined;
    const combined = merged(
      sums.flatMap((sum) =>
        part.map(({ edits, matches }) => ({
          edits: sum.edits + edits,
          matches: allOfParts([...sum.matches, matches]),
        })),
      ),
    );
    if (combined === undefined) return undefined;
    sums = combined.map(({ edits, matches }) => ({ edits, matches: [matches] }));
  }
  return limited(sums.map(({ edits, matches }) => ({ edits, matches: allOfParts(matches) })));
}

/** One of them holds, and the fewest edits count. */
const leastOf = (alternatives: readonly EditDistanceClasses[]): EditDistanceClasses => {
  const known = alternatives.filter((classes) => classes !== undefined);
  return known.length < alternatives.length ? undefined : limited(merged(known.flat()));
};

const limited = (classes: EditDistanceClasses): EditDistanceClasses =>
  classes !== undefined && classes.length > 1 && countOfConditions(classes) > MOST_CONDITIONS ? undefined : classes;

const countOfConditions = (classes: readonly EditDistanceClass[]): number =>
  classes.reduce((count, { matches }) => count + leavesOf(matches).length, 0);

/** The conditions if each sum is combined with each class. */
function countOfProduct(
  sums: readonly { readonly matches: readonly Predicate[] }[],
  classes: readonly EditDistanceClass[],
): number {
  const ofSums = sums.reduce((count, { matches }) => count + matches.flatMap(leavesOf).length, 0);
  return ofSums * classes.length + countOfConditions(classes) * sums.length;
}

function merged(editDistanceClasses: readonly EditDistanceClass[]): EditDistanceClasses {
  const numbers = [...new Set(editDistanceClasses.map(({ edits }) => edits))].toSorted((a, b) => a - b);
  if (numbers.length > MOST_CLASSES) return undefined;
  return numbers.map((number) => ({
    edits: number,
    matches: anyOfParts(editDistanceClasses.filter(({ edits }) => edits === number).map(({ matches }) => matches)),
  }));
}
