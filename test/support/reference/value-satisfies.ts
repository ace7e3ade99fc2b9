import { ignoringCase } from '../../../src/events/index/values/fold.js';
import type { DeclarationValue } from '../../../src/kernel/domain/event-record.js';
import type { DataInput, ValueCondition } from '../../../src/kernel/domain/search-request.js';
import { compareCodePoints } from './compare-code-points.js';
import { editsToNear } from './near-words.js';
import { cleanOf, wordsIn, wordsInOrder } from './words.js';

/** The ids of a location and everything below it; none for an unknown one. */
export type Below = (location: string) => readonly string[];

type Members = Readonly<Record<string, DeclarationValue>>;

/**
 * The table of S-10, read straight: whether a value of a declaration satisfies a condition, or a map that goes into it.
 */
export function valueSatisfies(
  value: DeclarationValue | undefined,
  input: DataInput,
  below: Below,
  isPartOfName = false,
): boolean {
  if (value === undefined) return false;
  if (isList(value)) return value.some((member) => valueSatisfies(member, input, below));
  switch (input.type) {
    case 'map':
      return (
        typeof value === 'object' &&
        input.members.every((member) => valueSatisfies(own(value, member.key), member.input, below, isName(value)))
      );
    case 'exact':
      return equals(value, input.term, below);
    case 'anyOf':
      return input.terms.some((term) => equals(value, term, below));
    case 'range':
      return isBetween(value, input);
    case 'within':
      return names(value).some((id) => below(input.location).includes(id));
    case 'fuzzy':
      return fuzzyEdits(value, input.term, isPartOfName) !== undefined;
  }
}

function equals(value: DeclarationValue, written: string, below: Below): boolean {
  const term = cleanOf(written);
  if (typeof value === 'string') return sameText(value, term);
  if (typeof value === 'number') return number(term) === value;
  if (typeof value === 'boolean') return sameText(String(value), term);
  if (isList(value)) return false;
  if (isName(value)) {
    const words = Object.values(value).flatMap((part) => wordsIn(text(part)));
    return wordsIn(term).length > 0 && wordsIn(term).every((word) => words.includes(word));
  }
  if (isAddress(value)) {
    const address = addressIn(term);
    if (address !== undefined && isSameAddress(value, address, below)) return true;
    return streetDetails(value).some(([, detail]) => sameText(detail, term));
  }
  if (isFile(value)) return sameText(text(value['originalFilename']), term);
  if (measure(value) !== undefined) return number(term) === measure(value);
  if (isLabelled(value)) return sameText(text(value['label']), term) || sameText(text(value['value']), term);
  const range = dateRange(value);
  return range !== undefined && isDate(term) && range.start <= term && term < range.end;
}

function isBetween(written: DeclarationValue, range: ValueCondition & { readonly type: 'range' }): boolean {
  const value = typeof written === 'string' ? cleanOf(written) : written;
  const [gte, lte] = [cleanOf(range.gte), cleanOf(range.lte)];
  if (typeof value === 'string' && !isDate(value)) {
    return compareCodePoints(gte, value) <= 0 && compareCodePoints(value, lte) <= 0;
  }
  const [from, to] = [dayOf(gte), dayOf(lte)];
  if (typeof value === 'string') return [from, to].every(isDate) && from <= value && value <= to;
  if (typeof value === 'boolean' || isList(value)) return false;
  const size = typeof value === 'number' ? value : measure(value);
  if (size !== undefined) {
    const [least, most] = [number(gte), number(lte)];
    return least !== undefined && most !== undefined && least <= size && size <= most;
  }
  const dates = typeof value === 'object' ? dateRange(value) : undefined;
  return dates !== undefined && [from, to].every(isDate) && from <= to && dates.start <= to && from < dates.end;
}

/** A text that fuzzy conditions are applied to; a name has the joins of the neighbouring words of each part. */
interface Searched {
  readonly words: readonly string[];
  readonly joins?: readonly string[];
}

/**
 * The fewest edits by which every word of the term is near a word of the value (S-11); undefined when they are not.
 * What a value can be found by is each of its `texts`: the words must all be near words of one of them. For a name the
 * best way to cut the term into runs counts.
 */
export function fuzzyEdits(value: DeclarationValue, term: string, isPartOfName = false): number | undefined {
  const words = wordsIn(term);
  if (words.length === 0) return undefined;
  const ofTexts = textsToSearch(value, isPartOfName).flatMap((text) =>
    [words, ...(text.joins === undefined ? [] : cutsOf(wordsInOrder(term)))].map((runs) => editsOfRuns(runs, text)),
  );
  const fewest = Math.min(...ofTexts);
  return fewest === Infinity ? undefined : fewest;
}

const editsOfRuns = (runs: readonly string[], { words, joins = [] }: Searched): number =>
  runs
    .map((run) =>
      Math.min(joins.includes(run) ? 0 : Infinity, ...words.map((word) => editsToNear(run, word) ?? Infinity)),
    )
    .reduce((sum, edits) => sum + edits, 0);

/** Each way to put a boundary, or none, after each word but the last; terms of more than six words have one way. */
function cutsOf(words: readonly string[]): readonly (readonly string[])[] {
  const ways = words.length > 6 ? 0 : 2 ** (words.length - 1);
  return Array.from({ length: ways }, (_, way) => {
    const runs: string[][] = [];
    for (const [at, word] of words.entries()) {
      if (at === 0 || (way >> (at - 1)) & 1) runs.push([word]);
      else runs.at(-1)?.push(word);
    }
    return runs;
  })
    .filter((runs) => runs.every(({ length }) => length <= 3))
    .map((runs) => [...new Set(runs.map((run) => run.join('')))]);
}

/** The words of each text that fuzzy conditions are applied to. */
function textsToSearch(value: DeclarationValue, isPartOfName: boolean): readonly Searched[] {
  if (typeof value === 'string') return isPartOfName ? [nameOf([value])] : [{ words: wordsIn(value) }];
  if (typeof value !== 'object' || isList(value)) return [];
  if (isName(value)) return [nameOf(Object.values(value).map(text))];
  if (isAddress(value)) return streetDetails(value).map(([, detail]) => ({ words: wordsIn(detail) }));
  return isLabelled(value) ? [text(value['label']), text(value['value'])].map((one) => ({ words: wordsIn(one) })) : [];
}

const nameOf = (parts: readonly string[]): Searched => ({
  words: parts.flatMap(wordsIn),
  joins: parts.map(wordsInOrder).flatMap((words) =>
    words.flatMap((word, at) => {
      const [second, third] = words.slice(at + 1);
      if (second === undefined) return [];
      return third === undefined ? [word + second] : [word + second, word + second + third];
    }),
  ),
});

/** The locations that a value names. */
function names(value: DeclarationValue): readonly string[] {
  if (typeof value === 'string') return [cleanOf(value).toLowerCase()];
  if (typeof value !== 'object' || isList(value) || !isAddress(value) || addressType(value) !== 'DOMESTIC') return [];
  return typeof value['administrativeArea'] === 'string' ? [cleanOf(value['administrativeArea']).toLowerCase()] : [];
}

const sameText = (left: string, right: string): boolean => ignoringCase(cleanOf(left)) === ignoringCase(cleanOf(right));

const number = (term: string): number | undefined =>
  /^[-+]?(\d+\.?\d*|\.\d+)(e[-+]?\d+)?$/i.test(term) && Number.isFinite(Number(term)) ? Number(term) : undefined;

const isDate = (text: string): boolean => {
  const at = /^\d{4}-\d\d-\d\d$/.test(text) ? new Date(`${text}T00:00:00Z`) : undefined;
  return at !== undefined && !Number.isNaN(at.getTime()) && at.toISOString().startsWith(text) && text > '0001';
};

/** The day of a date-time; any other text as it is. */
const dayOf = (text: string): string => text.replace(/^(\d{4}-\d\d-\d\d)T\d\d:\d\d(:\d\d(\.\d+)?)?Z$/, '$1');

const isList = (value: DeclarationValue): value is readonly DeclarationValue[] => Array.isArray(value);

export const own = (object: object, key: string): DeclarationValue | undefined =>
  Object.hasOwn(object, key) ? (object as Members)[key] : undefined;

const isText = (value: DeclarationValue | undefined): value is string => typeof value === 'string';

const text = (value: DeclarationValue | undefined): string => (isText(value) ? value : '');

const keysOf = (value: Members): string => Object.keys(value).sort().join();

export const isName = (value: DeclarationValue): boolean =>
  typeof value === 'object' &&
  !isList(value) &&
  Object.values(value).length > 0 &&
  Object.values(value).every(isText) &&
  /^(firstname)?,?(middlename)?,?(surname)?$/.test(keysOf(value));

const isAddress = (value: Members): boolean =>
  isText(value['country']) && ['DOMESTIC', 'INTERNATIONAL'].includes(addressType(value));

const addressType = (value: Members): string => cleanOf(text(value['addressType']));

const isFile = (value: Members): boolean =>
  /^(option,)?originalFilename,path,type$|^originalFilename,(option,)?path,type$/.test(keysOf(value)) &&
  ['originalFilename', 'path', 'type'].every((key) => isText(value[key]));

const isLabelled = (value: Members): boolean => keysOf(value) === 'label,value' && Object.values(value).every(isText);

function measure(value: Members): number | undefined {
  const key = {
    age: 'age',
    'age,asOfDateRef': 'age',
    numericValue: 'numericValue',
    'numericValue,unit': 'numericValue',
  }[keysOf(value)];
  const size = key === undefined ? undefined : value[key];
  return typeof size === 'number' ? size : undefined;
}

function dateRange(value: Members): { start: string; end: string } | undefined {
  const [start, end] = [cleanOf(text(value['start'])), cleanOf(text(value['end']))];
  return keysOf(value) === 'end,start' && isDate(start) && isDate(end) && start < end ? { start, end } : undefined;
}

function streetDetails(address: Members): readonly [key: string, text: string][] {
  const details = address['streetLevelDetails'];
  const entries = typeof details === 'object' && !isList(details) ? Object.entries(details) : [];
  return entries.flatMap(([key, detail]) => (typeof detail === 'string' ? [[key, detail]] : []));
}

interface Address {
  readonly country: string;
  readonly administrativeArea?: string;
  readonly streetLevelDetails?: Readonly<Record<string, string>>;
}

/** Tests make JSON addresses of this shape, or text that is no address at all. */
function addressIn(term: string): Address | undefined {
  try {
    const value: unknown = JSON.parse(term);
    return typeof value === 'object' && value !== null && 'country' in value ? (value as Address) : undefined;
  } catch {
    return undefined;
  }
}

const isSameAddress = (value: Members, wanted: Address, below: Below): boolean =>
  sameText(text(value['country']), wanted.country) &&
  (wanted.administrativeArea === undefined ||
    names(value).some((id) => below(wanted.administrativeArea?.toLowerCase() ?? '').includes(id))) &&
  Object.entries(wanted.streetLevelDetails ?? {}).every(([key, detail]) =>
    streetDetails(value).some(([name, found]) => name === key && sameText(found, detail)),
  );
