import type {
  AnyFieldCondition,
  Clause,
  Condition,
  DataInput,
  DataMember,
  Query,
} from '../../../kernel/domain/search-request.js';
import { Sql, sql } from '../../../kernel/sql/sql.js';
import { fieldOf } from '../../index/values/data-path.js';
import { factsOfField } from '../../index/values/document.js';
import { hasFuzzy, isFuzzyCondition, isFuzzyInput } from '../request/parse-search-request.js';
import { type Candidates, dataLeaf, eitherOf, isNothing } from './candidate-terms.js';
import { allOfParts, anyOfParts, compileRecheck, leavesOf, type Predicate } from './predicate.js';
import {
  candidatesOfFuzzyFields,
  factsOfFields,
  ofDeclaration,
  predicateOfClause,
  predicateOfCondition,
  predicateOfMember,
  readableFor,
} from './query.js';
import { compileFact, within } from './fact.js';
import { DOCUMENT, factsOfMember, factsOfValue } from './stored-fact.js';
import {
  atEdits,
  candidatesOfTerm,
  compileFuzzyEdits,
  type FuzzyField,
  fuzzyFields,
  type FuzzyScope,
  nearTermOf,
  needsNames,
} from './fuzzy.js';
import { fieldAt, type NearRun, type SearchContext } from './search-context.js';

/** Matches with this many edits (`compileEdits`). A record may be in several classes: the lowest counts. */
export interface EditDistanceClass {
  readonly edits: number;
  readonly matches: Predicate;
}

/** Undefined: the edits of each match must be counted. */
export type EditDistanceClasses = readonly EditDistanceClass[] | undefined;

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

function editDistanceClassesOfSomeField(condition: AnyFieldCondition, context: SearchContext): EditDistanceClasses {
  const fields = condition.type === 'fuzzy' ? fuzzyFields(condition.term, context) : undefined;
  return fields && editDistanceClassesOfFields(fields, candidatesOfFuzzyFields(fields));
}

function editDistanceClassesOfMember(member: DataMember, context: SearchContext): EditDistanceClasses {
  const { key, input } = member;
  if (!isFuzzyInput(input)) return [{ edits: 0, matches: predicateOfMember(member, context) }];
  if (input.type !== 'fuzzy') return undefined;
  const field = fieldAt(fieldOf(key), context);
  const near = nearTermOf(input.term, field, context.dictionary);
  return editDistanceClassesOfFields([{ ...field, near }], candidatesOfTerm(near, field));
}

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

/**
 * The fewest edits by which a match satisfies the query (S-12): a fuzzy condition has those of its best value. ANDs and
 * members of a map add up; an OR has its fewest. The clause is known to hold: parts without a fuzzy condition are not
 * evaluated.
 */
export function compileEdits(clause: Clause, context: SearchContext): Sql {
  if (clause.kind === 'or' && clause.clauses.length > 1) return editsOfClause(clause, context);
  return clause.kind === 'expression'
    ? sum(clause.conditions.filter(isFuzzyCondition).map((condition) => editsOfMatchingCondition(condition, context)))
    : sum(clause.clauses.filter(hasFuzzy).map((inner) => compileEdits(inner, context)));
}

/** NULL when the clause does not hold. */
function editsOfClause(clause: Clause, context: SearchContext): Sql {
  if (!hasFuzzy(clause)) return noEditsIf(compileRecheck(predicateOfClause(clause, context)));
  switch (clause.kind) {
    case 'and':
      return sum(clause.clauses.map((inner) => editsOfClause(inner, context)));
    case 'or':
      return sql`least(${Sql.join(
        clause.clauses.map((inner) => editsOfClause(inner, context)),
        ', ',
      )})`;
    case 'expression':
      return sum(clause.conditions.map((condition) => editsOfCondition(condition, context)));
  }
}

function editsOfMatchingCondition(condition: Condition, context: SearchContext): Sql {
  if (condition.on !== 'data') return editsOfFuzzy(condition, context);
  const members = condition.members.filter(({ input }) => isFuzzyInput(input));
  return sum(members.map((member) => editsOfField(member, context)));
}

function editsOfCondition(condition: Condition, context: SearchContext): Sql {
  if (!isFuzzyCondition(condition)) return noEditsIf(compileRecheck(predicateOfCondition(condition, context)));
  const edits = editsOfFuzzy(condition, context);
  const readable = readableFor(condition, context);
  return readable === undefined ? edits : sql`case when ${compileRecheck(readable)} then ${edits} end`;
}

function editsOfFuzzy(condition: Condition, context: SearchContext): Sql {
  if (condition.on === 'data') return sum(condition.members.map((member) => editsOfField(member, context)));
  return condition.on === 'anyField' && condition.condition.type === 'fuzzy'
    ? editsOfSomeField(condition.condition.term, context)
    : sql`0`;
}

function editsOfSomeField(term: string, context: SearchContext): Sql {
  const paths = fuzzyFields(term, context)?.map(({ path }) => path);
  const edits = compileFuzzyEdits(term, { kind: 'everyField' }, context);
  return ofDeclaration(sql`(select min(${edits}) from ${factsOfFields(paths)})`);
}

function editsOfField(member: DataMember, context: SearchContext): Sql {
  const { key, input } = member;
  if (!isFuzzyInput(input)) return noEditsIf(compileRecheck(predicateOfMember(member, context)));
  const facts = factsOfValue(factsOfField(DOCUMENT, key));
  return ofDeclaration(editsOfFacts(facts, input, { kind: 'field', path: fieldOf(key) }, context));
}

const editsOfFacts = (facts: Sql, input: DataInput, scope: FuzzyScope, context: SearchContext): Sql =>
  sql`(select min(${editsOfFact(input, scope, context)}) from ${facts})`;

function editsOfFact(input: DataInput, scope: FuzzyScope, context: SearchContext): Sql {
  if (input.type === 'fuzzy') return compileFuzzyEdits(input.term, scope, context);
  if (input.type !== 'map' || !isFuzzyInput(input)) return noEditsIf(compileFact(input, scope, context));
  return sum(
    input.members.map(({ key, input: inner }) => {
      const at = within(scope, key);
      return editsOfFacts(factsOfMember(key, needsNames(inner, at, context)), inner, at, context);
    }),
  );
}

const noEditsIf = (holds: Sql): Sql => sql`case when ${holds} then 0 end`;

const sum = (edits: readonly Sql[]): Sql => sql`(${Sql.join(edits, ' + ')})`;
