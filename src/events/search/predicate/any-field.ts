import type { WordsNear } from '../../index/terms/near-words.js';
import type { ShapeAspect } from '../../index/terms/terms.js';
import type { DataPath } from '../../index/values/data-path.js';
import { isPlainAscii, wordsOf } from '../../index/values/fold.js';
import type { AnyFieldCondition } from '../../../kernel/domain/search-request.js';
import { absurd } from '../../../kernel/errors/service-error.js';
import { fieldAt, type SearchContext } from './search-context.js';
import { ANY_RECORD, type Candidates, inSomeField } from './candidate-terms.js';
import { candidatesOfField } from './field-candidates.js';
import { readValueTerms, type TermsCondition, termsOf } from './value-terms.js';

/** The dictionary provides the fields of fuzzy conditions. */
export type LookedUpCondition = Exclude<AnyFieldCondition, { readonly type: 'fuzzy' }>;

/**
 * Pairs of a field and a value for look-ups by terms. Other conditions are checked on the records, so statements do not
 * grow with the number of fields.
 */
const MOST_PAIRS = 4_000;

/** No dictionary may have words of this length: see `isFindable`. */
const LONG_WORD = 800;

/** A condition on one field takes as long as so many terms. */
const COST_OF_FIELD = 10;

/** S-10. */
export function candidatesOfAnyField(condition: LookedUpCondition, context: SearchContext): Candidates {
  switch (condition.type) {
    case 'exact':
    case 'anyOf':
      return candidatesOfTerms(condition, context);
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

/** The places of a country, in about ten fields. */
const MOST_PLACES = 50_000;

function candidatesOfFields(
  condition: LookedUpCondition,
  context: SearchContext,
  fields: Iterable<DataPath>,
): Candidates {
  const found = new Map<DataPath, Candidates>();
  for (const path of fields) {
    if (!context.room.takes(COST_OF_FIELD)) return ANY_RECORD;
    const candidates = candidatesOfField(condition, fieldAt(path, context), context);
    if (candidates.candidateTerms.kind === 'none') return ANY_RECORD;
    found.set(path, candidates);
  }
  return inSomeField(found);
}

function candidatesOfTerms(condition: TermsCondition, context: SearchContext): Candidates {
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
  if (!context.room.takes(COST_OF_FIELD * termsByField.size)) return ANY_RECORD;
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
  const { aspects, words } = soughtBy(term);
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

interface Sought {
  readonly words: readonly string[];
  /** A field with the term has all its words, or one of these. */
  readonly aspects: readonly ShapeAspect[];
}

function soughtBy(term: string): Sought {
  const { texts, numbers, dates, addresses } = readValueTerms([term]);
  const words = [...new Set([...texts, term].flatMap(wordsOf))];
  const aspects: ShapeAspect[] = ['plain'];
  if (numbers.length > 0) aspects.push('number');
  for (const date of dates) aspects.push(`year ${date.slice(0, 4)}`);
  if (dates.length > 0) aspects.push('range');
  if (addresses.length > 0) aspects.push('country');
  // Words beyond ASCII have several spellings.
  if (words.length === 0 || !isPlainAscii(term) || words.some(({ length }) => length >= LONG_WORD)) {
    aspects.push('text', 'sole');
  }
  return { words, aspects };
}

function fieldsWithAll(words: readonly string[], dictionary: WordsNear): ReadonlySet<DataPath> | undefined {
  let fields: ReadonlySet<DataPath> | undefined;
  for (const word of words) {
    const here = dictionary.fieldsOf(word);
    if (here === undefined) return undefined;
    fields = fields === undefined ? here : new Set([...here].filter((path) => fields?.has(path)));
  }
  return fields ?? new Set();
}

/** Everything that `candidatesOfAnyField` looks up. */
export function askedOfAnyField(condition: LookedUpCondition): Sought {
  if (condition.type === 'within') return { words: [], aspects: ['place', 'area'] };
  const sought = termsOf(condition).map(soughtBy);
  return { words: sought.flatMap(({ words }) => words), aspects: sought.flatMap(({ aspects }) => aspects) };
}
