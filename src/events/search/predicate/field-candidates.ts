import { beginsWithDigit, isSole } from '../../index/terms/terms-of-record.js';
import type { TermAspect } from '../../index/terms/terms.js';
import type { AddressTerm } from '../../index/values/address-term.js';
import { ignoringCase, wordsOf } from '../../index/values/fold.js';
import { beginsBucket, bucketOf } from '../../index/values/number-of.js';
import type { ValueCondition } from '../../../kernel/domain/search-request.js';
import { parseUuid } from '../../../kernel/domain/uuid.js';
import { absurd } from '../../../kernel/errors/service-error.js';
import {
  ANY_RECORD,
  both,
  type Candidates,
  coarse,
  coarseOneOf,
  eitherOf,
  NO_CANDIDATES,
  oneOf,
  oneOfOrAny,
} from './candidate-terms.js';
import { type Field, ofOneValue, type SearchContext } from './search-context.js';
import {
  type Bounds,
  readValueRange,
  termsOfDates,
  type ValueRange,
  type ValueTerms,
  valueTermsOf,
} from './value-terms.js';
import { candidatesOfTerm, nearTermOf } from './fuzzy.js';

/** The counterpart of `FieldTerms`. */
export function candidatesOfField(condition: ValueCondition, field: Field, context: SearchContext): Candidates {
  switch (condition.type) {
    case 'exact':
    case 'anyOf':
      return candidatesOfTerms(valueTermsOf(condition), field, context);
    case 'range':
      return candidatesOfRange(readValueRange(condition.gte, condition.lte), field);
    case 'within':
      return havingOneOf(['place', 'area'], context.below(condition.location), field);
    case 'fuzzy':
      return candidatesOfTerm(nearTermOf(condition.term, field, context.dictionary), field);
    default:
      return absurd(condition);
  }
}

function havingOneOf(
  aspects: readonly TermAspect[],
  values: readonly string[],
  { shape, kinds, room }: Field,
): Candidates {
  const known = aspects.filter((aspect) => shape.has(aspect));
  if (known.length === 0 || values.length === 0) return NO_CANDIDATES;
  if (!room.takes(known.length * values.length)) return ANY_RECORD;
  return oneOf(known.flatMap((aspect) => values.map((value) => kinds.kind(aspect).term(value))));
}

function candidatesOfTerms(terms: ValueTerms, field: Field, context: SearchContext): Candidates {
  const { texts, soles, numbers, names, dates, addresses } = terms;
  return eitherOf([
    havingOneOf(['text', 'plain'], texts, field),
    havingOneOf(['sole'], soles, field),
    havingOneOf(
      ['place'],
      texts.filter((text) => parseUuid(text) !== undefined),
      field,
    ),
    havingOneOf(['day'], dates, field),
    havingOneOf(['number'], numbers.map(String), field),
    ...(field.shape.has('alternative') ? texts.map((text) => candidatesOfAlternative(text, field)) : []),
    ...(field.shape.has('nameWord') ? names.map((words) => candidatesOfName(words, field)) : []),
    dates.length > 0 && field.shape.has('range') ? havingRange(field) : NO_CANDIDATES,
    ...(field.shape.has('country') ? candidatesOfAddresses(addresses, field, context) : []),
  ]);
}

/** A text may only have terms of its words, which do not tell their order. */
function candidatesOfAlternative(text: string, { kinds }: Field): Candidates {
  const words = wordsOf(text);
  return words.length === 0 || isSole(text, words)
    ? NO_CANDIDATES
    : coarse({ kind: 'allOf', terms: words.slice(0, MOST_WORDS).map((word) => kinds.kind('word').term(word).hash) });
}

/** Names have few words: the first words of longer texts are selective enough. */
const MOST_WORDS = 8;

function candidatesOfName(words: readonly string[], field: Field): Candidates {
  const some = words.slice(0, MOST_WORDS);
  const candidates = ofOneValue(
    some.map((word) => havingOneOf(['nameWord'], [word], field)),
    field,
  );
  return some.length < words.length ? coarse(candidates.candidateTerms) : candidates;
}

/** More addresses are looked up by their countries only: each stands for all areas below its own. */
const FEW_ADDRESSES = 8;

const candidatesOfAddresses = (
  addresses: readonly AddressTerm[],
  field: Field,
  context: SearchContext,
): readonly Candidates[] =>
  addresses.length > FEW_ADDRESSES
    ? [
        coarse(
          havingOneOf(['country'], [...new Set(addresses.map(({ country }) => ignoringCase(country)))], field)
            .candidateTerms,
        ),
      ]
    : addresses.map((address) => candidatesOfAddress(address, field, context));

function candidatesOfAddress(
  { country, administrativeArea }: AddressTerm,
  field: Field,
  { below }: SearchContext,
): Candidates {
  const ofCountry = havingOneOf(['country'], [ignoringCase(country)], field).candidateTerms;
  if (administrativeArea === undefined) return coarse(ofCountry);
  return coarse(both([ofCountry, havingOneOf(['area'], below(administrativeArea), field).candidateTerms]));
}

const havingRange = ({ kinds }: Field): Candidates => coarseOneOf([kinds.kind('range').term('')]);

const candidatesOfRange = ({ text, number, date }: ValueRange, field: Field): Candidates =>
  eitherOf([
    candidatesOfTextRange(text, field),
    number === undefined ? NO_CANDIDATES : candidatesOfNumberRange(number, field),
    date === undefined ? NO_CANDIDATES : oneOfOrAny(termsOfDates(date, field)),
    date !== undefined && field.shape.has('range') ? havingRange(field) : NO_CANDIDATES,
  ]);

function candidatesOfTextRange({ gte, lte }: Bounds<string>, field: Field): Candidates {
  const { shape } = field;
  if (gte > lte && !isPastBmp(gte + lte)) return NO_CANDIDATES;
  if (!beginsWithDigit(gte) || !beginsWithDigit(lte)) {
    return WITH_RANGE.some((aspect) => shape.has(aspect)) ? ANY_RECORD : NO_CANDIDATES;
  }
  if (shape.has('digits') && mayBeNumberOrId(commonPrefix(gte, lte))) return ANY_RECORD;
  const digits = Array.from('0123456789').filter((digit) => digit >= gte.charAt(0) && digit <= lte.charAt(0));
  return coarse(havingOneOf(['head'], digits, field).candidateTerms);
}

/** Whether texts without a `head` (digits alone, and UUIDs) may begin with this prefix. */
const mayBeNumberOrId = (prefix: string): boolean => /^\d*$/.test(prefix) || UUID_PREFIX.test(prefix);

const UUID_PREFIX = /^(?:[0-9a-f]{0,8}|[0-9a-f]{8}-[0-9a-f-]*)$/i;

function commonPrefix(one: string, other: string): string {
  let length = 0;
  while (length < one.length && one[length] === other[length]) length++;
  return one.slice(0, length);
}

const WITH_RANGE = ['text', 'sole', 'place'] as const;

/** In such text, UTF-16 units are not in code point order. */
const isPastBmp = (text: string): boolean => /[\ud800-\udfff]/.test(text);

/** All numbers between the first and the last bucket lie in the range. */
function candidatesOfNumberRange({ gte, lte }: Bounds<number>, field: Field): Candidates {
  const [first, last] = [bucketOf(gte), bucketOf(lte)];
  const begin = beginsBucket(gte) && first < last ? first : first + 1;
  const between = Array.from({ length: Math.max(0, last - begin) }, (_, at) => String(begin + at));
  const ends = (begin === first ? [last] : [first, last]).map(String);
  return eitherOf([
    coarse(havingOneOf(['bucket'], ends, field).candidateTerms),
    havingOneOf(['bucket'], between, field),
  ]);
}
