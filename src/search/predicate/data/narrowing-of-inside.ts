import { WHOLES_OF_FIELD, WORD_WITHOUT_TERMS, WORDS_OF_FIELD } from '../../../derived/record-terms/inside-terms.js';
import type { TermAspect } from '../../../derived/terms/data-aspect.js';
import type { AddressTerm } from '../../../derived/values/address-term.js';
import type { DataPath } from '../../../derived/values/data-path.js';
import { memberOf } from '../../../derived/values/data-path.js';
import { ignoringCase, wordsOf } from '../../../derived/values/fold.js';
import type { DataInput, DataMember } from '../../../domain/search-request.js';
import { absurd } from '../../../errors/absurd.js';
import type { Narrowing } from '../narrowing.js';
import { both, either, NOTHING, someOfMany } from '../narrowing.js';
import type { SearchContext } from '../search-context.js';
import type { Field } from './field.js';
import { nearWordsInside } from './fuzzy.js';
import type { ValueTerms } from './value-terms.js';
import { valueTermsOf } from './value-terms.js';

/** Any record may match. */
const NOTHING_KNOWN: Narrowing = { kind: 'none' };

/**
 * The terms of the records of which the field has inside, below `path`, what all of the members ask for: the twin of
 * `InsideTerms`.
 */
export const narrowingOfMembers = (
  members: readonly DataMember[],
  path: DataPath,
  field: Field,
  context: SearchContext,
): Narrowing => both(members.map(({ key, input }) => narrowingOfInput(input, memberOf(path, key), field, context)));

function narrowingOfInput(input: DataInput, path: DataPath, field: Field, context: SearchContext): Narrowing {
  switch (input.type) {
    case 'exact':
    case 'anyOf':
      return narrowingOfTerms(valueTermsOf(input), field, context);
    case 'range':
      return NOTHING_KNOWN;
    case 'within':
      return narrowingOfPlace(input.location, field, context);
    case 'map':
      return narrowingOfMembers(input.members, path, field, context);
    case 'fuzzy':
      return narrowingOfFuzzy(input.term, path, field, context);
    default:
      return absurd(input);
  }
}

/** The records of which some aspect is one of the values. */
function havingOneOf(aspects: readonly TermAspect[], values: readonly string[], { shape, kinds }: Field): Narrowing {
  const known = aspects.filter((aspect) => shape.has(aspect));
  return someOfMany(known.flatMap((aspect) => values.map((value) => kinds.kind(aspect).term(value).hash)));
}

const WHOLES: readonly TermAspect[] = ['whole', ...WHOLES_OF_FIELD];
const WORDS: readonly TermAspect[] = ['inside', ...WORDS_OF_FIELD];

function narrowingOfTerms(terms: ValueTerms, field: Field, context: SearchContext): Narrowing {
  const { texts, numbers, names, dates, addresses } = terms;
  return either([
    ...texts.map((text) => narrowingOfText(text, field, texts.length)),
    havingOneOf(['inside', 'number'], numbers.map(String), field),
    ...names.map((words) => narrowingOfWords(wordsThatNarrow(words, names.length), field)),
    dates.length > 0 && field.shape.has('insideRange') ? NOTHING_KNOWN : NOTHING,
    ...(addresses.length > FEW_TEXTS
      ? [narrowingOfCountries(addresses, field)]
      : addresses.map((address) => narrowingOfAddress(address, field, context))),
  ]);
}

/** Names have few words: of a text of more, the first narrow well enough. */
const MOST_WORDS = 8;

/** Of many texts, the longest word of each narrows well enough, and all of those are looked up at once. */
const FEW_TEXTS = 8;

const wordsThatNarrow = (words: readonly string[], texts: number): readonly string[] =>
  texts > FEW_TEXTS
    ? words.toSorted((one, other) => other.length - one.length).slice(0, 1)
    : words.slice(0, MOST_WORDS);

/** A text has a term of the whole, or of each of its words; it is one of so many. */
function narrowingOfText(text: string, field: Field, texts = 1): Narrowing {
  const words = wordsThatNarrow(wordsOf(text), texts);
  return either([havingOneOf(WHOLES, [text], field), words.length === 0 ? NOTHING : narrowingOfWords(words, field)]);
}

const narrowingOfWords = (words: readonly string[], field: Field): Narrowing =>
  both(words.map((word) => narrowingOfWord([word], field)));

/** Records that have one of the words. */
const narrowingOfWord = (words: readonly string[], field: Field): Narrowing =>
  words.includes(WORD_WITHOUT_TERMS) ? NOTHING_KNOWN : havingOneOf(WORDS, words, field);

const narrowingOfCountries = (addresses: readonly AddressTerm[], field: Field): Narrowing =>
  either(
    [...new Set(addresses.map(({ country }) => ignoringCase(country)))].map((name) => narrowingOfText(name, field)),
  );

function narrowingOfAddress(
  { country, administrativeArea }: AddressTerm,
  field: Field,
  context: SearchContext,
): Narrowing {
  const ofCountry = narrowingOfText(ignoringCase(country), field);
  return administrativeArea === undefined
    ? ofCountry
    : both([ofCountry, narrowingOfPlace(administrativeArea, field, context)]);
}

const narrowingOfPlace = (location: string, field: Field, { below }: SearchContext): Narrowing =>
  havingOneOf(['whole', 'place', 'area'], below(location), field);

function narrowingOfFuzzy(term: string, path: DataPath, field: Field, context: SearchContext): Narrowing {
  const near = nearWordsInside(term, { kind: 'inside', field: field.path, path }, context);
  if (near.length === 0 || near.some((words) => words.length === 0)) return NOTHING;
  if (context.shapes.inside(path).has('opaque')) return NOTHING_KNOWN;
  return both(
    near.map((words) =>
      narrowingOfWord(
        words.map(({ word }) => word),
        field,
      ),
    ),
  );
}
