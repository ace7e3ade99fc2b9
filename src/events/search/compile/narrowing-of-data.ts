import type { CalendarDate } from '../../../domain/calendar.js';
import type { DataInput, DataMember } from '../../../domain/search-request.js';
import { absurd } from '../../../errors/absurd.js';
import type { AddressTerm } from '../address-term.js';
import { ignoringCase } from '../fold.js';
import type { DataPath } from '../terms.js';
import { beginsWithDigit, dataTerm, memberOf } from '../terms.js';
import { narrowingOfFuzzy } from './fuzzy.js';
import type { Narrowing } from './narrowing.js';
import { allOf, both, either, someOf } from './narrowing.js';
import type { SearchContext } from './search-context.js';
import type { Bounds, ValueRange } from './value-range.js';
import { readValueRange } from './value-range.js';
import type { ValueTerms } from './value-terms.js';
import { readValueTerms } from './value-terms.js';

/** Any record may match. */
const NOTHING_KNOWN: Narrowing = { kind: 'none' };

/** No record matches. */
const NOTHING: Narrowing = { kind: 'someOf', terms: [] };

/** The terms that a record has whose values at `path` satisfy all of the members: the twin of `termsOf`. */
export const narrowingOfMembers = (members: readonly DataMember[], path: DataPath, context: SearchContext): Narrowing =>
  both(members.map(({ key, input }) => narrowingOfInput(input, memberOf(path, key), context)));

function narrowingOfInput(input: DataInput, path: DataPath, context: SearchContext): Narrowing {
  switch (input.type) {
    case 'exact':
      return narrowingOfTerms(readValueTerms([input.term]), path, context);
    case 'anyOf':
      return narrowingOfTerms(readValueTerms(input.terms), path, context);
    case 'range':
      return narrowingOfRange(readValueRange(input.gte, input.lte), path);
    case 'within':
      return narrowingOfPlace(input.location, path, context);
    case 'map':
      return narrowingOfMembers(input.members, path, context);
    case 'fuzzy':
      return narrowingOfFuzzy(input.term, path, context.dictionary);
    default:
      return absurd(input);
  }
}

function narrowingOfTerms(terms: ValueTerms, path: DataPath, context: SearchContext): Narrowing {
  return either([
    someOf(terms.texts, (text) => dataTerm(path, 'text', text)),
    someOf(terms.numbers, (number) => dataTerm(path, 'number', String(number))),
    ...terms.names.map((words) => allOf(words, (word) => dataTerm(path, 'word', word))),
    terms.dates.length > 0 ? presence(path, 'hasDateRange') : NOTHING,
    ...terms.addresses.map((address) => narrowingOfAddress(address, path, context)),
  ]);
}

function narrowingOfAddress(
  { country, administrativeArea }: AddressTerm,
  path: DataPath,
  context: SearchContext,
): Narrowing {
  const ofCountry = someOf([ignoringCase(country)], (name) => dataTerm(path, 'country', name));
  return administrativeArea === undefined
    ? ofCountry
    : both([ofCountry, narrowingOfPlace(administrativeArea, path, context)]);
}

const narrowingOfPlace = (location: string, path: DataPath, { below }: SearchContext): Narrowing =>
  someOf(below(location), (id) => dataTerm(path, 'location', id));

const narrowingOfRange = ({ text, number, date }: ValueRange, path: DataPath): Narrowing =>
  either([
    narrowingOfTexts(text, path),
    number === undefined ? NOTHING : presence(path, 'hasNumber'),
    ...(date === undefined ? [] : [narrowingOfDates(date, path), presence(path, 'hasDateRange')]),
  ]);

const presence = (path: DataPath, aspect: 'hasNumber' | 'hasDateRange'): Narrowing =>
  someOf([''], (value) => dataTerm(path, aspect, value));

/** Between two texts that begin with digits, every text begins with a digit. */
function narrowingOfTexts({ gte, lte }: Bounds<string>, path: DataPath): Narrowing {
  if (!beginsWithDigit(gte) || !beginsWithDigit(lte)) return NOTHING_KNOWN;
  const digits = Array.from('0123456789').filter((digit) => digit >= gte.charAt(0) && digit <= lte.charAt(0));
  return someOf(digits, (digit) => dataTerm(path, 'digit', digit));
}

const MOST_DAYS = 62;
const MOST_MONTHS = 400;
const DAY_MS = 86_400_000;

/** The days of a short range; the months of a longer one. */
function narrowingOfDates({ gte, lte }: Bounds<CalendarDate>, path: DataPath): Narrowing {
  const days = 1 + (Date.parse(lte) - Date.parse(gte)) / DAY_MS;
  if (days <= MOST_DAYS) {
    return someOf(sequence(days), (at) => dataTerm(path, 'text', isoDay(Date.parse(gte) + at * DAY_MS)));
  }
  const months = 1 + monthNumber(lte) - monthNumber(gte);
  if (months > MOST_MONTHS) return NOTHING_KNOWN;
  return someOf(sequence(months), (at) => dataTerm(path, 'month', isoMonth(monthNumber(gte) + at)));
}

const sequence = (length: number): readonly number[] => Array.from({ length }, (_, at) => at);

const isoDay = (ms: number): string => new Date(ms).toISOString().slice(0, 10);

const monthNumber = (date: CalendarDate): number => Number(date.slice(0, 4)) * 12 + Number(date.slice(5, 7)) - 1;

const isoMonth = (month: number): string =>
  `${String(Math.floor(month / 12)).padStart(4, '0')}-${String((month % 12) + 1).padStart(2, '0')}`;
