import type { EventRecord } from '../../../kernel/domain/event-record.js';
import type { DataInput, DataMember } from '../../../kernel/domain/search-request.js';
import { byCodePoint } from '../../../kernel/domain/text.js';
import type { Uuid } from '../../../kernel/domain/uuid.js';
import { absurd } from '../../../kernel/errors/service-error.js';
import { isComparedExactly } from '../../index/terms/near-words.js';
import { Alignment, allowedEdits, codePointsOf } from '../../index/terms/optimal-string-alignment.js';
import { isFindable } from '../../index/terms/vocabulary.js';
import type { AddressTerm } from '../../index/values/address-term.js';
import type { Fact, Facts } from '../../index/values/facts.js';
import { cutsOf, fewestRuns, ignoringCase, mapCuts, runsIn } from '../../index/values/fold.js';
import { readValueRange, readValueTerms, type ValueRange, type ValueTerms } from '../predicate/value-terms.js';
import type { Guard } from '../request/refuse-secured.js';

/** A record after the change, on which the process evaluates conditions. */
export interface Candidate {
  readonly record: EventRecord;
  readonly facts: Facts;
  /** Scopes ask for it; undefined if nobody did. */
  readonly notifiedBy: string | undefined;
  /** Only scopes of users ask for it. */
  readonly notifiedIn?: Uuid | null | undefined;
  /** The time of the transaction. */
  readonly nowMs: number;
}

/** Agrees with the SQL of the same condition. */
export type CandidateTest = (candidate: Candidate) => boolean;

export interface TestContext {
  /** IANA name; calendar dates are read in it (S-8). */
  readonly timezone: string;
  /** Also true for the area itself; false for unknown places (S-9). */
  readonly isWithin: (place: string, area: string) => boolean;
  /** E-10. */
  readonly guarded?: { readonly guard: Guard; readonly isRead: CandidateTest } | undefined;
}

export const everyOf = (tests: readonly CandidateTest[]): CandidateTest => {
  const [only] = tests;
  return only !== undefined && tests.length === 1 ? only : (candidate) => tests.every((test) => test(candidate));
};

export const someOf = (tests: readonly CandidateTest[]): CandidateTest => {
  const [only] = tests;
  return only !== undefined && tests.length === 1 ? only : (candidate) => tests.some((test) => test(candidate));
};

interface Searched {
  readonly run: string;
  readonly alignment: Alignment;
}

/** Joined cuts hold only for a name, or a part of one addressed by its member. */
const isName = ({ j }: Fact): boolean => j !== undefined;

const wordsIn = ({ w, q }: Fact): readonly string[] => w ?? q ?? [];

/**
 * Each word of the term is near a word, or is a join, of a fact; for a name, each run of some cut (S-11). Undefined for
 * a term without words.
 */
function nearTest(term: string): ((fact: Fact) => boolean) | undefined {
  const { words, joined } = mapCuts(cutsOf(term), searchedFor);
  if (words.length === 0) return undefined;
  return (fact) => {
    const holds = (runs: readonly Searched[]): boolean => runs.every((run) => isFound(run, fact));
    return holds(words) || (isName(fact) && joined.some(holds));
  };
}

/**
 * Each word of the shorter side is near a word of the other (E-9); with equal counts, either direction suffices. The
 * term's words count as searched both times. A name has as many words as its cut has runs.
 */
export function nearEitherWay(term: string): (fact: Fact) => boolean {
  const { words: searched, joined } = mapCuts(cutsOf(term), searchedFor);
  const allRuns = runsIn({ words: searched, joined });
  return (fact) => {
    const words = [...new Set(wordsIn(fact))];
    if (words.length === 0 || searched.length === 0) return false;
    const isIn = (runs: readonly Searched[]): boolean =>
      runs.length <= words.length && runs.every((run) => isFound(run, fact));
    if (isIn(searched)) return true;
    const runs = isName(fact) ? allRuns : searched;
    const finds = (word: string): boolean => runs.some(({ alignment }) => isNear(word, alignment));
    if (words.length <= searched.length && words.every(finds)) return true;
    if (!isName(fact)) return false;
    const isRun = (join: string): boolean => runs.some(({ run }) => run === join);
    return (
      joined.some(isIn) || fewestRunsIn(fact, (run, isJoin) => (isJoin ? isRun(run) : finds(run))) <= searched.length
    );
  };
}

const fewestRunsIn = ({ k = '' }: Fact, holds: (run: string, isJoin: boolean) => boolean): number =>
  k
    .split('\t')
    .map((part) => fewestRuns(part === '' ? [] : part.split(' '), holds))
    .reduce((sum, runs) => sum + runs, 0);

function searchedFor(run: string): Searched {
  const points = codePointsOf(run);
  return { run, alignment: new Alignment(points, isComparedExactly(run) ? 0 : allowedEdits(points.length)) };
}

const isFound = ({ run, alignment }: Searched, fact: Fact): boolean =>
  wordsIn(fact).some((word) => isNear(word, alignment)) || fact.j?.includes(run) === true;

function isNear(word: string, alignment: Alignment): boolean {
  const edits = alignment.editsToWord(word);
  return edits <= alignment.most && (edits === 0 || !isComparedExactly(word)) && isFindable(word);
}

type FactTest = (fact: Fact) => boolean;

const NEVER: FactTest = () => false;

/** `compileFact` without SQL (S-10). */
export function testOfValue(input: DataInput, context: TestContext): FactTest {
  switch (input.type) {
    case 'exact':
      return testOfTerms(readValueTerms([input.term]), context);
    case 'anyOf':
      return testOfTerms(readValueTerms(input.terms), context);
    case 'range':
      return testOfRange(readValueRange(input.gte, input.lte));
    case 'within':
      return ({ a }) => a !== undefined && context.isWithin(a, input.location);
    case 'map': {
      const members = input.members.map((member) => testOfMember(member, context));
      return ({ m }) => m !== undefined && members.every((isMet) => isMet(m));
    }
    case 'fuzzy': {
      const areNear = nearTest(input.term);
      if (areNear === undefined) return NEVER;
      return areNear;
    }
    default:
      return absurd(input);
  }
}

export function testOfMember({ key, input }: DataMember, context: TestContext): (facts: Facts) => boolean {
  const isMet = testOfValue(input, context);
  return (facts) => Object.hasOwn(facts, key) && (facts[key] ?? []).some(isMet);
}

function testOfTerms({ texts, numbers, names, dates, addresses }: ValueTerms, context: TestContext): FactTest {
  const isText = membership(texts);
  const isNumber = membership(numbers);
  const isAddress = addresses.map((address) => testOfAddress(address, context));
  return (fact) => {
    const { t, n, w, r, c } = fact;
    if (t !== undefined) return isText(t);
    if (n !== undefined) return isNumber(n);
    if (w !== undefined) return names.some((words) => words.every((word) => w.includes(word)));
    if (r !== undefined) return dates.some((day) => r[0] <= day && day < r[1]);
    return c !== undefined && isAddress.some((isMet) => isMet(fact));
  };
}

/** Sets would take most of the memory of ten thousand single-term conditions. */
function membership<T>(values: readonly T[]): (value: T) => boolean {
  if (values.length <= 8) return (value) => values.includes(value);
  const set = new Set(values);
  return (value) => set.has(value);
}

function testOfAddress({ country, administrativeArea, streetDetails }: AddressTerm, context: TestContext): FactTest {
  const wanted = ignoringCase(country);
  const details = streetDetails.map(([key, text]) => [key, ignoringCase(text)] as const);
  return ({ c, a, m }) =>
    c === wanted &&
    (administrativeArea === undefined || (a !== undefined && context.isWithin(a, administrativeArea))) &&
    details.every(([key, text]) => streetDetail(m, key) === text);
}

/** Only a plain text: neither a list nor a special kind of value. */
function streetDetail(address: Facts | undefined, key: string): string | undefined {
  const details = onlyFact(address, 'streetLevelDetails')?.m;
  const detail = onlyFact(details, key);
  return detail?.q === undefined || detail.m !== undefined ? undefined : detail.t;
}

function onlyFact(facts: Facts | undefined, key: string): Fact | undefined {
  if (facts === undefined || !Object.hasOwn(facts, key)) return undefined;
  const [only, ...others] = facts[key] ?? [];
  return others.length === 0 ? only : undefined;
}

function testOfRange({ text, number, date }: ValueRange): FactTest {
  return ({ x, n, d, r }) => {
    if (x !== undefined) return byCodePoint(text.gte, x) <= 0 && byCodePoint(x, text.lte) <= 0;
    if (n !== undefined) return number !== undefined && number.gte <= n && n <= number.lte;
    if (date === undefined) return false;
    if (d !== undefined) return date.gte <= d && d <= date.lte;
    return r !== undefined && r[0] <= date.lte && r[1] > date.gte;
  };
}
