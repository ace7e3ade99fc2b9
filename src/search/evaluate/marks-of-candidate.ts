import { deletionKeys, deletionsIn, MOST_DELETION_KEYS } from '../../derived/near-words/deletion-keys.js';
import { codePointsOf } from '../../derived/near-words/optimal-string-alignment.js';
import type { Fact, Facts } from '../../derived/values/facts.js';
import { fieldsOn } from '../../domain/record/searched-fields.js';
import type { Aspect } from './aspects.js';
import {
  ANY_FIELD,
  ASPECT_OF_FLAGS,
  aspectOfArea,
  aspectOfAuthor,
  aspectOfCountry,
  aspectOfDateRange,
  aspectOfLocation,
  aspectOfPlace,
  aspectOfText,
  aspectOfValue,
  aspectOfWords,
  DECLARATION,
  markOf,
  markOfKey,
  pathTo,
} from './aspects.js';
import type { Candidate } from './candidate.js';

/** What marks depend on, apart from the candidate. */
export interface MarkContext {
  /** Other aspects are not asked for and can be left out. */
  readonly isAsked: (aspect: Aspect) => boolean;
  /** The place and the areas that contain it in the current hierarchy; none for an unknown one (S-9). */
  readonly around: (place: string) => readonly string[];
}

/**
 * The marks of a candidate: at least one of each `requirementOfQuery` and `requirementOfRowFilter` whose test it
 * passes.
 */
export function* marksOfCandidate(candidate: Candidate, context: MarkContext): Generator<number> {
  yield* marksOfFields(candidate, context);
  yield* marksOfFacts(candidate.facts, DECLARATION, context);
  for (const alternatives of Object.values(candidate.facts)) {
    for (const fact of alternatives) yield* marksOfFact(fact, ANY_FIELD, context);
  }
}

function* marksOfFields({ record, notifiedBy }: Candidate, { isAsked, around }: MarkContext): Generator<number> {
  const { DECLARED, REGISTERED } = record.legalStatuses;
  for (const [aspect, textOf] of ASPECTS_OF_TEXTS) yield* marksOfText(aspect, textOf(record));
  for (const { at, within, placeOf } of ASPECTS_OF_PLACES) {
    const place = placeOf(record);
    yield* marksOfText(at, place);
    if (typeof place === 'string' && isAsked(within)) for (const area of around(place)) yield markOf(within, area);
  }
  for (const flag of record.flags) yield markOf(ASPECT_OF_FLAGS, flag);
  yield* marksOfText(aspectOfAuthor('declaredBy'), DECLARED?.createdBy);
  yield* marksOfText(aspectOfAuthor('registeredBy'), REGISTERED?.createdBy);
  yield* marksOfText(aspectOfAuthor('notifiedBy'), notifiedBy);
}

function* marksOfText(aspect: Aspect, text: string | null | undefined): Generator<number> {
  if (typeof text === 'string') yield markOf(aspect, text);
}

function* marksOfFacts(facts: Facts, path: number, context: MarkContext): Generator<number> {
  for (const [key, alternatives] of Object.entries(facts)) {
    const inner = pathTo(path, key);
    for (const fact of alternatives) {
      yield* marksOfFact(fact, inner, context);
      if (fact.m !== undefined) yield* marksOfFacts(fact.m, inner, context);
    }
  }
}

function* marksOfFact(fact: Fact, path: number, context: MarkContext): Generator<number> {
  const { isAsked, around } = context;
  const { t, n, w, q, r, c, a } = fact;
  const value = aspectOfValue(path);
  if (isAsked(value)) {
    if (t !== undefined) yield markOf(value, t);
    if (n !== undefined) yield markOf(value, String(n));
    for (const word of w ?? []) yield markOf(value, word);
  }
  if (r !== undefined) yield markOf(aspectOfDateRange(path), '');
  if (c !== undefined) yield markOf(aspectOfCountry(path), c);
  if (a !== undefined && isAsked(aspectOfLocation(path))) {
    for (const area of around(a)) yield markOf(aspectOfLocation(path), area);
  }
  const words = aspectOfWords(path);
  if (isAsked(words)) for (const word of w ?? q ?? []) yield* marksOfWord(word, words);
}

function* marksOfWord(word: string, aspect: Aspect): Generator<number> {
  const points = codePointsOf(word);
  const keys = new Uint32Array(MOST_DELETION_KEYS);
  const count = deletionKeys(points, deletionsIn(points.length), keys);
  for (let at = 0; at < count; at++) yield markOfKey(aspect, keys[at] ?? 0);
}

const ASPECTS_OF_TEXTS = fieldsOn('text').map(({ condition, read }) => [aspectOfText(condition), read] as const);
const ASPECTS_OF_PLACES = fieldsOn('location').map(({ condition, read }) => ({
  at: aspectOfPlace(condition),
  within: aspectOfArea(condition),
  placeOf: read,
}));
