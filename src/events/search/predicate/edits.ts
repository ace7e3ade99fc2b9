import type { TermAspect } from '../../index/terms/data-aspect.js';
import type { Term } from '../../index/terms/term-kind.js';
import { fieldOf } from '../../index/values/data-path.js';
import { factsOfField } from '../../index/values/document.js';
import { runsIn } from '../../index/values/joined-words.js';
import type { Clause, Condition, DataInput, DataMember } from '../../../kernel/domain/search-request.js';
import { Sql, sql } from '../../../kernel/sql/sql.js';
import { hasFuzzy, isFuzzyCondition, isFuzzyInput } from '../request/has-fuzzy.js';
import { isNothing, recheckCandidateTerms } from './candidate-terms.js';
import { compileRecheck } from './compile-filter.js';
import { predicateOfClause, predicateOfCondition } from './query.js';
import { readableFor } from './readable.js';
import type { SearchContext } from './search-context.js';
import { Once } from './worked-out.js';
import type { Candidates } from './candidates.js';
import { oneOf } from './candidates.js';
import { candidatesOfMember, candidatesOfSomeField, factsOfFields, predicateOfMember, ofDeclaration } from './data.js';
import { compileFact, within } from './fact.js';
import { fieldAt } from './field.js';
import type { FuzzyCondition, FuzzyField, FuzzyScope } from './fuzzy.js';
import {
  ANY_VALUE,
  atEdits,
  compileFuzzyEdits,
  fuzzyFields,
  leastEdits,
  NAME,
  nearTermOf,
  needsNames,
  termsOfRun,
} from './fuzzy.js';
import type { NearRun } from './near-in-value.js';
import { DOCUMENT, factsOfMember, factsOfValue } from './stored-fact.js';

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
    ? editsOfSomeField(condition.condition, context)
    : sql`0`;
}

export const editsOfSomeField = (condition: FuzzyCondition, context: SearchContext): Sql =>
  EDITS.of(context.workedOut, condition, () => {
    const fields = fuzzyFields(condition, context);
    const edits = (): Sql => compileFuzzyEdits(condition.term, { kind: 'everyField' }, context);
    const paths = fields?.map(({ path }) => path);
    const byDocument = (): Sql => ofDeclaration(sql`(select min(${edits()}) from ${factsOfFields(paths)})`);
    return fields === undefined
      ? byDocument()
      : editsByTerms(fields, candidatesOfSomeField(condition, context), byDocument);
  });

export const editsOfField = (member: DataMember, context: SearchContext): Sql =>
  EDITS.of(context.workedOut, member, () => findEditsOfField(member, context));

const EDITS = new Once<Sql>();

function findEditsOfField(member: DataMember, context: SearchContext): Sql {
  const { key, input } = member;
  if (!isFuzzyInput(input)) return noEditsIf(compileRecheck(predicateOfMember(member, context)));
  const field = fieldAt(fieldOf(key), context);
  const edits = (): Sql =>
    ofDeclaration(
      editsOfFacts(factsOfValue(factsOfField(DOCUMENT, key)), input, { kind: 'field', path: field.path }, context),
    );
  if (input.type !== 'fuzzy') return edits();
  const near = nearTermOf(input.term, field, context.dictionary);
  return editsByTerms([{ ...field, near }], candidatesOfMember(member, context), edits);
}

/** Terms tell how near words are, without the document. */
function editsByTerms(
  fields: readonly FuzzyField[],
  { candidateTerms, decides }: Candidates,
  byDocument: () => Sql,
): Sql {
  // Even if the other terms are too many to be named.
  if (isNothing(candidateTerms)) return sql`null::int`;
  if (!decides || fields.length === 0 || fields.some(({ near }) => near.words.length === 0)) return byDocument();
  const words = fields.reduce((sum, { near }) => sum + runsIn(near).length, 0);
  return words > Math.max(fields.length, MOST_WORDS) ? byDocument() : editsOfTerms(fields);
}

/** With more look-ups, reading the document is cheaper. */
const MOST_WORDS = 64;

/** For one word, three look-ups suffice for all fields. */
function editsOfTerms(fields: readonly FuzzyField[]): Sql {
  if (fields.every(({ near: { words, joined } }) => words.length === 1 && joined.length === 0)) {
    const runs = fields.flatMap((field) => field.near.words.map((run) => ({ run, field })));
    return leastEdits(
      runs.map(({ run }) => run),
      (edits) => isThere(runs.flatMap(({ run, field }) => decidingTerms(atEdits(run, edits), ANY_VALUE, field))),
    );
  }
  const edits = fields.flatMap((field) => [
    editsOfCut(field.near.words, ANY_VALUE, field),
    ...field.near.joined.map((cut) => editsOfCut(cut, NAME, field)),
  ]);
  return sql`least(${Sql.join(edits, ', ')})`;
}

const editsOfCut = (runs: readonly NearRun[], aspects: readonly TermAspect[], field: FuzzyField): Sql =>
  sum(runs.map((run) => leastEdits([run], (edits) => isThere(decidingTerms(atEdits(run, edits), aspects, field)))));

const isThere = (terms: readonly Term[]): Sql => recheckCandidateTerms(oneOf(terms).candidateTerms);

function decidingTerms(run: NearRun, aspects: readonly TermAspect[], field: FuzzyField): readonly Term[] {
  const terms = termsOfRun(run, aspects, field);
  if (terms === undefined) throw new Error('terms that are too many to be named decide nothing');
  return terms;
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
