import { WHOLES_OF_FIELD, WORD_WITHOUT_TERMS, WORDS_OF_FIELD } from '../../index/terms/terms-of-record.js';
import type { TermAspect } from '../../index/terms/terms.js';
import type { AddressTerm } from '../../index/values/address-term.js';
import { type DataPath, memberOf } from '../../index/values/data-path.js';
import { ignoringCase, wordsOf } from '../../index/values/fold.js';
import type { DataInput, DataMember } from '../../../kernel/domain/search-request.js';
import { absurd } from '../../../kernel/errors/service-error.js';
import { both, type CandidateTerms, either, NOTHING, someOf } from './candidate-terms.js';
import type { Field, NearInValue, SearchContext } from './search-context.js';
import { isFound, nearInside } from './fuzzy.js';
import { type ValueTerms, valueTermsOf } from './value-terms.js';

const NOTHING_KNOWN: CandidateTerms = { kind: 'none' };

/** The counterpart of `InsideTerms`. */
export const candidateTermsOfMembers = (
  members: readonly DataMember[],
  path: DataPath,
  field: Field,
  context: SearchContext,
): CandidateTerms =>
  both(members.map(({ key, input }) => candidateTermsOfInput(input, memberOf(path, key), field, context)));

function candidateTermsOfInput(input: DataInput, path: DataPath, field: Field, context: SearchContext): CandidateTerms {
  switch (input.type) {
    case 'exact':
    case 'anyOf':
      return candidateTermsOfTerms(valueTermsOf(input), field, context);
    case 'range':
      return NOTHING_KNOWN;
    case 'within':
      return candidateTermsOfPlace(input.location, field, context);
    case 'map':
      return candidateTermsOfMembers(input.members, path, field, context);
    case 'fuzzy':
      return candidateTermsOfFuzzy(input.term, path, field, context);
    default:
      return absurd(input);
  }
}

function havingOneOf(
  aspects: readonly TermAspect[],
  values: readonly string[],
  { shape, kinds, room }: Field,
): CandidateTerms {
  const known = aspects.filter((aspect) => shape.has(aspect));
  if (!room.takes(known.length * values.length)) return NOTHING_KNOWN;
  return someOf(known.flatMap((aspect) => values.map((value) => kinds.kind(aspect).term(value).hash)));
}

const WHOLES: readonly TermAspect[] = ['whole', ...WHOLES_OF_FIELD];
const WORDS: readonly TermAspect[] = ['inside', ...WORDS_OF_FIELD];

function candidateTermsOfTerms(terms: ValueTerms, field: Field, context: SearchContext): CandidateTerms {
  const { texts, numbers, names, dates, addresses } = terms;
  return either([
    ...texts.map((text) => candidateTermsOfText(text, field, texts.length)),
    havingOneOf(['inside', 'number'], numbers.map(String), field),
    ...names.map((words) => candidateTermsOfWords(wordsThatNarrow(words, names.length), field)),
    dates.length > 0 && field.shape.has('insideRange') ? NOTHING_KNOWN : NOTHING,
    ...(addresses.length > FEW_TEXTS
      ? [candidateTermsOfCountries(addresses, field)]
      : addresses.map((address) => candidateTermsOfAddress(address, field, context))),
  ]);
}

/** Names have few words: the first words of longer texts are selective enough. */
const MOST_WORDS = 8;

/** The longest word of each of many texts is selective enough; all are looked up together. */
const FEW_TEXTS = 8;

const wordsThatNarrow = (words: readonly string[], texts: number): readonly string[] =>
  texts > FEW_TEXTS
    ? words.toSorted((one, other) => other.length - one.length).slice(0, 1)
    : words.slice(0, MOST_WORDS);

/** A text has a term for the whole, or for each word. */
function candidateTermsOfText(text: string, field: Field, texts = 1): CandidateTerms {
  const words = wordsThatNarrow(wordsOf(text), texts);
  return either([
    havingOneOf(WHOLES, [text], field),
    words.length === 0 ? NOTHING : candidateTermsOfWords(words, field),
  ]);
}

const candidateTermsOfWords = (words: readonly string[], field: Field): CandidateTerms =>
  both(words.map((word) => candidateTermsOfWord([word], field)));

const candidateTermsOfWord = (words: readonly string[], field: Field): CandidateTerms =>
  words.includes(WORD_WITHOUT_TERMS) ? NOTHING_KNOWN : havingOneOf(WORDS, words, field);

const candidateTermsOfCountries = (addresses: readonly AddressTerm[], field: Field): CandidateTerms =>
  either(
    [...new Set(addresses.map(({ country }) => ignoringCase(country)))].map((name) =>
      candidateTermsOfText(name, field),
    ),
  );

function candidateTermsOfAddress(
  { country, administrativeArea }: AddressTerm,
  field: Field,
  context: SearchContext,
): CandidateTerms {
  const ofCountry = candidateTermsOfText(ignoringCase(country), field);
  return administrativeArea === undefined
    ? ofCountry
    : both([ofCountry, candidateTermsOfPlace(administrativeArea, field, context)]);
}

/** Aspects of `WHOLES_OF_FIELD` that are seldom a place, with their member of the value. */
export const SELDOM_PLACES = { plain: 'originalFilename', country: 'country' } as const;

function candidateTermsOfPlace(location: string, field: Field, { below, shapes }: SearchContext): CandidateTerms {
  // A country has thousands of places: seldom aspects name them only where records have some.
  const seldom = (['plain', 'country'] as const).filter((aspect) =>
    shapes.inside(memberOf(field.path, SELDOM_PLACES[aspect])).has('id'),
  );
  return havingOneOf(['whole', 'place', 'area', ...seldom], below(location), field);
}

function candidateTermsOfFuzzy(term: string, path: DataPath, field: Field, context: SearchContext): CandidateTerms {
  const { words, joined } = nearInside(term, { kind: 'inside', field: field.path, path }, context);
  const cuts = words.length > 0 && words.every(isFound) ? [words, ...joined] : joined;
  if (cuts.length === 0) return NOTHING;
  if (context.shapes.inside(path).has('opaque')) return NOTHING_KNOWN;
  return either(cuts.map((runs) => both(runs.map((run) => candidateTermsOfRun(run, field)))));
}

function candidateTermsOfRun({ near, joins }: NearInValue, field: Field): CandidateTerms {
  const ofWords = candidateTermsOfWord(
    near.map(({ word }) => word),
    field,
  );
  return joins.length === 0 ? ofWords : either([ofWords, havingOneOf(['inside', 'nameJoin'], joins, field)]);
}
