import type { WordsNear } from '../../index/near-words/fuzzy-dictionary.js';
import type { ShapeAspect } from '../../index/terms/data-aspect.js';
import type { DataPath } from '../../index/values/data-path.js';
import { isPlainAscii, wordsOf } from '../../index/values/fold.js';
import type { Shapes } from '../../index/terms/shapes.js';
import type { Clause, ValueCondition } from '../../../kernel/domain/search-request.js';
import { absurd } from '../../../kernel/errors/service-error.js';
import type { SearchContext } from './search-context.js';
import { Once } from './worked-out.js';
import { ANY_RECORD, type Candidates, inSomeField } from './candidates.js';
import { yearsWithin } from './date-terms.js';
import { fieldAt } from './field.js';
import { candidatesOfField } from './field-candidates.js';
import { readValueRange } from './value-range.js';
import { readValueTerms, type TermsCondition, termsOf } from './value-terms.js';

/** The dictionary provides the fields of fuzzy conditions. */
export type AnyFieldCondition = Exclude<ValueCondition, { readonly type: 'fuzzy' }>;

/**
 * Pairs of a field and a value for look-ups by terms. Other conditions are checked on the records, so statements do not
 * grow with the number of fields.
 */
const MOST_PAIRS = 4_000;

/** No dictionary may have words of this length: see `isFindable`. */
const LONG_WORD = 800;

/** S-10. */
export function candidatesOfAnyField(condition: AnyFieldCondition, context: SearchContext): Candidates {
  switch (condition.type) {
    case 'exact':
    case 'anyOf':
      return candidatesOfTerms(condition, context);
    case 'range':
      return context.shapes.fieldCount > MOST_PAIRS || namesTooManyYears(condition, context)
        ? ANY_RECORD
        : candidatesOfFields(condition, context);
    case 'within': {
      const { shapes, below } = context;
      const [places, areas] = [shapes.fieldsWith('place'), shapes.fieldsWith('area')];
      if (places === undefined || areas === undefined) return ANY_RECORD;
      return (places.size + areas.size) * below(condition.location).length > MOST_PLACES
        ? ANY_RECORD
        : candidatesOfFields(condition, context, [...places, ...areas]);
    }
    default:
      return absurd(condition);
  }
}

/** A century in two hundred fields; each year has twelve terms. */
const MOST_YEARS_NAMED = 20_000;

function namesTooManyYears(
  { gte, lte }: ValueCondition & { readonly type: 'range' },
  { shapes }: SearchContext,
): boolean {
  const { date } = readValueRange(gte, lte);
  if (date === undefined) return false;
  let named = 0;
  for (const path of shapes.fields) {
    named += yearsWithin(date, shapes.field(path).years)?.length ?? Infinity;
    if (named > MOST_YEARS_NAMED) return true;
  }
  return false;
}

/** The places of a country, in about ten fields. */
const MOST_PLACES = 50_000;

function candidatesOfFields(
  condition: AnyFieldCondition,
  context: SearchContext,
  fields: Iterable<DataPath> = context.shapes.fields,
): Candidates {
  const found = new Map<DataPath, Candidates>();
  for (const path of fields) {
    const candidates = candidatesOfField(condition, fieldAt(path, context), context);
    if (candidates.candidateTerms.kind === 'none') return ANY_RECORD;
    found.set(path, candidates);
  }
  return inSomeField(found);
}

function candidatesOfTerms(condition: TermsCondition, context: SearchContext): Candidates {
  if (!wereWordsNeeded(condition, context)) {
    return context.shapes.fieldCount > MOST_PAIRS ? ANY_RECORD : candidatesOfFields(condition, context);
  }
  const termsByField = new Map<DataPath, string[]>();
  let pairs = 0;
  for (const term of termsOf(condition)) {
    const fields = fieldsOfTerm(term, context);
    pairs += fields?.size ?? 0;
    if (fields === undefined || pairs > MOST_PAIRS) return ANY_RECORD;
    for (const path of fields) {
      const terms = termsByField.get(path);
      if (terms === undefined) termsByField.set(path, [term]);
      else terms.push(term);
    }
  }
  return inSomeField(
    new Map(
      [...termsByField].map(([path, terms]) => [
        path,
        candidatesOfField({ type: 'anyOf', terms }, fieldAt(path, context), context),
      ]),
    ),
  );
}

/** Undefined when there are too many to name. */
function fieldsOfTerm(term: string, { shapes, dictionary }: SearchContext): ReadonlySet<DataPath> | undefined {
  const { texts, numbers, dates, addresses } = readValueTerms([term]);
  const words = wordsOfTexts([...texts, term]);
  const aspects: ShapeAspect[] = ['plain'];
  if (numbers.length > 0) aspects.push('number');
  for (const date of dates) aspects.push(`year ${date.slice(0, 4)}`);
  if (dates.length > 0) aspects.push('range');
  if (addresses.length > 0) aspects.push('country');
  // Words beyond ASCII have several spellings.
  if (words.length === 0 || !isPlainAscii(term) || words.some(({ length }) => length >= LONG_WORD)) {
    aspects.push('text', 'sole');
  }
  const fields = new Set<DataPath>();
  for (const aspect of aspects) {
    const found = shapes.fieldsWith(aspect);
    if (found === undefined || found.size > MOST_PAIRS) return undefined;
    for (const path of found) fields.add(path);
  }
  const standing = fieldsWithAll(words, dictionary);
  if (standing === undefined) return undefined;
  for (const path of standing) fields.add(path);
  return fields;
}

const wordsOfTexts = (texts: readonly string[]): readonly string[] => [...new Set(texts.flatMap(wordsOf))];

function fieldsWithAll(words: readonly string[], dictionary: WordsNear): ReadonlySet<DataPath> | undefined {
  let fields: ReadonlySet<DataPath> | undefined;
  for (const word of words) {
    const { byField } = dictionary.inEachField(word);
    if (byField === undefined) return undefined;
    const here = [...byField].flatMap(([path, near]) => (near.some(({ edits }) => edits === 0) ? [path] : []));
    fields = new Set(fields === undefined ? here : here.filter((path) => fields?.has(path)));
  }
  return fields ?? new Set();
}

/** There are too many fields to name all. */
const needsWords = (condition: TermsCondition, shapes: Shapes): boolean =>
  shapes.fieldCount > MOST_PAIRS / Math.max(1, termsOf(condition).length);

const NEEDS_WORDS = new Once<boolean>();

/** Fixed for a search: fields that others add meanwhile must not change it. */
const wereWordsNeeded = (condition: TermsCondition, { workedOut, shapes }: Asking): boolean =>
  NEEDS_WORDS.of(workedOut, condition, () => needsWords(condition, shapes));

type Asking = Pick<SearchContext, 'workedOut' | 'shapes'>;

/** In addition to the words of fuzzy conditions. */
export const wordsOfTerms = (condition: ValueCondition, context: Asking): readonly string[] =>
  isTermsCondition(condition) && wereWordsNeeded(condition, context)
    ? termsOf(condition).flatMap((term) => wordsOfTexts([...readValueTerms([term]).texts, term]))
    : [];

export const asksForWords = (clause: Clause, shapes: Shapes): boolean =>
  clause.kind === 'expression'
    ? clause.conditions.some(
        (condition) =>
          condition.on === 'anyField' &&
          isTermsCondition(condition.condition) &&
          needsWords(condition.condition, shapes),
      )
    : clause.clauses.some((inner) => asksForWords(inner, shapes));

const isTermsCondition = (condition: ValueCondition): condition is TermsCondition =>
  condition.type === 'exact' || condition.type === 'anyOf';
