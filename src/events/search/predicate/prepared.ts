import { stepwise } from '../../../platform/queue/time-slice.js';
import type { AskedWord } from '../../index/near-words/fuzzy-dictionary.js';
import { SearchTurn } from '../../index/near-words/search-turn.js';
import type { DataPath } from '../../index/values/data-path.js';
import { fieldOf, insideOf, memberOf } from '../../index/values/data-path.js';
import { cutsOf, runsIn } from '../../index/values/joined-words.js';
import type {
  Clause,
  Condition,
  DataInput,
  DataMember,
  Query,
  ValueCondition,
} from '../../../kernel/domain/search-request.js';
import { hasFuzzy, isFuzzyInput } from '../request/has-fuzzy.js';
import { countTerms } from './candidate-terms.js';
import { wordsOfTerms } from './any-field.js';
import type { Candidates } from './candidates.js';
import { ANY_RECORD } from './candidates.js';
import { CANDIDATES, candidatesOfMember, candidatesOfSomeField } from './data.js';
import {
  editDistanceClassesOf,
  editDistanceClassesOfMember,
  editDistanceClassesOfSomeField,
} from './edit-distance-classes.js';
import { editsOfField, editsOfSomeField } from './edits.js';
import { partsNear } from './parts-near.js';
import type { AnyOf } from './value-terms.js';
import { readingTermsOf } from './value-terms.js';
import type { SearchContext } from './search-context.js';
import { WorkedOut } from './worked-out.js';

/**
 * For each search, some hundred bytes a term. Other conditions are checked on the records, so memory does not grow with
 * these.
 */
const MOST_TERMS = 200_000;

/** Compiled in a small part of a millisecond. */
const FEW_TERMS = 50;

/**
 * Computes near words and terms condition by condition, in turns of the `client`. Fails with the signal's reason.
 */
export async function prepared(
  query: Query,
  context: SearchContext,
  signal?: AbortSignal,
  client?: string,
): Promise<SearchContext> {
  const turn = new SearchTurn(signal, client);
  const workedOut = new WorkedOut();
  const ready: SearchContext = { ...context, workedOut };
  const conditions = dataConditionsOf(query);
  const words: AskedWord[] = [];
  for (const one of conditions) {
    for (const list of listsIn(one)) await stepwise(readingTermsOf(list), turn);
    for (const asked of wordsOfCondition(one, ready)) {
      words.push(asked);
      if (asked.path !== undefined && context.shapes.inside(asked.path).has('id')) partsNear(asked.word, ready);
      await turn.nextIfOver();
    }
    await turn.nextIfOver();
  }
  // Together: some are looked up in the database.
  await context.dictionary.lookUp?.(words, turn);
  await turn.nextIfOver();
  let room = MOST_TERMS;
  for (const one of conditions) {
    const candidates = candidatesOf(one, ready);
    room -= countTerms(candidates.candidateTerms);
    if (room < 0) CANDIDATES.set(workedOut, askedOf(one), ANY_RECORD);
    await turn.nextIfOver();
    if (isFuzzy(one)) editDistanceClasses(one, ready);
    await turn.nextIfOver();
  }
  if (hasFuzzy(query) && editDistanceClassesOf(query, ready) === undefined) {
    for (const one of conditions) {
      if (isFuzzy(one)) edits(one, ready);
      await turn.nextIfOver();
    }
  }
  // Many searches may arrive at once.
  if (MOST_TERMS - room > FEW_TERMS || turn.isOver) await turn.next();
  return ready;
}

type DataCondition =
  | { readonly on: 'member'; readonly member: DataMember }
  | { readonly on: 'anyField'; readonly condition: ValueCondition };

function dataConditionsOf(clause: Clause): readonly DataCondition[] {
  return clause.kind === 'expression' ? clause.conditions.flatMap(partsOf) : clause.clauses.flatMap(dataConditionsOf);
}

function partsOf(condition: Condition): readonly DataCondition[] {
  if (condition.on === 'data') return condition.members.map((member) => ({ on: 'member', member }));
  return condition.on === 'anyField' ? [{ on: 'anyField', condition: condition.condition }] : [];
}

const askedOf = (one: DataCondition): DataMember | ValueCondition => (one.on === 'member' ? one.member : one.condition);

const isFuzzy = (one: DataCondition): boolean => isFuzzyInput(one.on === 'member' ? one.member.input : one.condition);

const candidatesOf = (one: DataCondition, context: SearchContext): Candidates =>
  one.on === 'member' ? candidatesOfMember(one.member, context) : candidatesOfSomeField(one.condition, context);

const editDistanceClasses = (one: DataCondition, context: SearchContext): unknown =>
  one.on === 'member'
    ? editDistanceClassesOfMember(one.member, context)
    : editDistanceClassesOfSomeField(one.condition, context);

function edits(one: DataCondition, context: SearchContext): void {
  if (one.on === 'member') editsOfField(one.member, context);
  else if (one.condition.type === 'fuzzy') editsOfSomeField(one.condition, context);
}

/** At every level. */
function listsIn(one: DataCondition): readonly AnyOf[] {
  const ofInput = (input: DataInput): readonly AnyOf[] => {
    if (input.type === 'map') return input.members.flatMap((member) => ofInput(member.input));
    return input.type === 'anyOf' ? [input] : [];
  };
  return ofInput(one.on === 'member' ? one.member.input : one.condition);
}

function wordsOfCondition(one: DataCondition, context: SearchContext): readonly AskedWord[] {
  if (one.on === 'member') return wordsOfInput(one.member.input, fieldOf(one.member.key), []);
  const { condition } = one;
  const words = condition.type === 'fuzzy' ? runsIn(cutsOf(condition.term)) : wordsOfTerms(condition, context);
  return words.map((word) => ({ word }));
}

/** `around`: other places where words inside a field may be. */
function wordsOfInput(input: DataInput, path: DataPath, around: readonly DataPath[]): readonly AskedWord[] {
  if (input.type === 'map') {
    const [field = path] = around;
    return input.members.flatMap((member) =>
      wordsOfInput(member.input, memberOf(path, member.key), [field, insideOf(field)]),
    );
  }
  if (input.type !== 'fuzzy') return [];
  return runsIn(cutsOf(input.term)).flatMap((word) => [...around, path].map((at) => ({ word, path: at })));
}
