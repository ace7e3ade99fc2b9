import type {
  AnyFieldCondition,
  Clause,
  Condition,
  DataInput,
  DataMember,
  Query,
} from '../../../kernel/domain/search-request.js';
import { OneByOne, stepwise } from '../../../platform/queue/time-slice.js';
import { hasFuzzy, isFuzzyInput } from '../request/parse-query.js';
import { ANY_RECORD, type Candidates, countTerms } from './candidate-terms.js';
import { CANDIDATES, candidatesOfMember, candidatesOfSomeField } from './data.js';
import {
  editDistanceClassesOf,
  editDistanceClassesOfMember,
  editDistanceClassesOfSomeField,
  editsOfField,
  editsOfSomeField,
} from './edits.js';
import { type SearchContext, WorkedOut } from './search-context.js';
import { type AnyOf, readingTermsOf } from './value-terms.js';

/** The longest turn of a search, in milliseconds. */
const LONGEST_MS = 4;

/** Shorter than a `TimeSlice`, and independent of those. */
const turns = new OneByOne();

/** Bounds blocking; checked about every millisecond. */
export class SearchTurn {
  private beganMs = performance.now();

  /** `signal` aborts the work. */
  constructor(private readonly signal?: AbortSignal) {}

  get isOver(): boolean {
    return performance.now() - this.beganMs >= LONGEST_MS;
  }

  /** Fails with the signal's reason when it aborts. */
  async nextIfOver(): Promise<void> {
    if (this.isOver) await this.next();
  }

  /** Before a longer piece. Fails with the signal's reason. */
  async next(): Promise<void> {
    await turns.next();
    this.signal?.throwIfAborted();
    this.beganMs = performance.now();
  }
}

/**
 * For each search, some hundred bytes a term. Other conditions are checked on the records, so memory does not grow with
 * these.
 */
const MOST_TERMS = 200_000;

/** Compiled in a small part of a millisecond. */
const FEW_TERMS = 50;

/** Computes terms condition by condition. Fails with the signal's reason. */
export async function prepared(query: Query, context: SearchContext, signal?: AbortSignal): Promise<SearchContext> {
  const turn = new SearchTurn(signal);
  const workedOut = new WorkedOut();
  const ready: SearchContext = { ...context, workedOut };
  const conditions = dataConditionsOf(query);
  for (const one of conditions) {
    for (const list of listsIn(one)) await stepwise(readingTermsOf(list), turn);
    await turn.nextIfOver();
  }
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

export type DataCondition =
  | { readonly on: 'member'; readonly member: DataMember }
  | { readonly on: 'anyField'; readonly condition: AnyFieldCondition };

function dataConditionsOf(clause: Clause): readonly DataCondition[] {
  return clause.kind === 'expression' ? clause.conditions.flatMap(partsOf) : clause.clauses.flatMap(dataConditionsOf);
}

function partsOf(condition: Condition): readonly DataCondition[] {
  if (condition.on === 'data') return condition.members.map((member) => ({ on: 'member', member }));
  return condition.on === 'anyField' ? [{ on: 'anyField', condition: condition.condition }] : [];
}

const askedOf = (one: DataCondition): DataMember | AnyFieldCondition =>
  one.on === 'member' ? one.member : one.condition;

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
