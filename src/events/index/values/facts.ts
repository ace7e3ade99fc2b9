import { type CalendarDate, parseCalendarDate } from '../../../kernel/domain/calendar.js';
import type { Declaration, DeclarationValue } from '../../../kernel/domain/event-record.js';
import { cleanText } from '../../../kernel/domain/text.js';
import { parseUuid, type Uuid } from '../../../kernel/domain/uuid.js';
import { absurd } from '../../../kernel/errors/service-error.js';
import { ignoringCase, joinsOf, wordsInOrder, wordsOf } from './fold.js';

type ObjectValue = Readonly<Record<string, DeclarationValue>>;

/** The kinds of the table of S-10. */
export type ClassifiedValue =
  /** Text, e-mail, verification status, time, time period; cleaned, as a date is. */
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'date'; readonly date: CalendarDate }
  | { readonly kind: 'number'; readonly number: number }
  | { readonly kind: 'boolean'; readonly boolean: boolean }
  | { readonly kind: 'list'; readonly members: readonly DeclarationValue[] }
  | ClassifiedObject;

export type ClassifiedObject =
  | { readonly kind: 'file'; readonly originalFilename: string; readonly object: ObjectValue }
  | { readonly kind: 'name'; readonly parts: readonly string[]; readonly object: ObjectValue }
  | {
      readonly kind: 'address';
      readonly country: string;
      /** Domestic addresses only. */
      readonly administrativeArea: Uuid | undefined;
      readonly streetDetails: readonly string[];
      readonly object: ObjectValue;
    }
  /** Age and quantity. */
  | { readonly kind: 'measure'; readonly number: number; readonly object: ObjectValue }
  | { readonly kind: 'labelled'; readonly label: string; readonly value: string; readonly object: ObjectValue }
  | {
      readonly kind: 'dateRange';
      readonly start: CalendarDate;
      readonly end: CalendarDate;
      readonly object: ObjectValue;
    }
  /**
   * Data holder, nested group, request state, and any other object: conditions reach its members only through a map.
   */
  | { readonly kind: 'group'; readonly object: ObjectValue };

/**
 * By shape, since there is no form configuration (S-10). Cleaned text is a date if real. `SHAPES` are mutually
 * exclusive.
 */
function classifyValue(value: DeclarationValue): ClassifiedValue {
  if (typeof value === 'string') {
    const text = cleanText(value);
    const date = parseCalendarDate(text);
    return date === undefined ? { kind: 'text', text } : { kind: 'date', date };
  }
  if (typeof value === 'number') return { kind: 'number', number: value };
  if (typeof value === 'boolean') return { kind: 'boolean', boolean: value };
  if (isList(value)) return { kind: 'list', members: value };
  for (const shape of SHAPES) {
    const found = shape(value);
    if (found !== undefined) return found;
  }
  return { kind: 'group', object: value };
}

const SHAPES: readonly ((object: ObjectValue) => ClassifiedObject | undefined)[] = [
  asName,
  asAddress,
  asFile,
  asAge,
  asQuantity,
  asLabelled,
  asDateRange,
];

/** Only these three, all texts, and at least one. */
function asName(object: ObjectValue): ClassifiedObject | undefined {
  const parts = Object.values(object);
  if (parts.length === 0 || !hasOnly(object, ['firstname', 'surname', 'middlename']) || !parts.every(isText)) return;
  return { kind: 'name', parts, object };
}

/** A country and an address type; others are allowed. */
function asAddress(object: ObjectValue): ClassifiedObject | undefined {
  const { country, administrativeArea, streetLevelDetails } = object;
  const addressType = cleaned(object['addressType']);
  if (!isText(country) || (addressType !== 'DOMESTIC' && addressType !== 'INTERNATIONAL')) return;
  return {
    kind: 'address',
    country,
    administrativeArea: addressType === 'DOMESTIC' ? parseUuid(cleaned(administrativeArea)) : undefined,
    streetDetails: isObject(streetLevelDetails) ? Object.values(streetLevelDetails).filter(isText) : [],
    object,
  };
}

/** `option` marks a member of a file list. */
function asFile(object: ObjectValue): ClassifiedObject | undefined {
  const { path, originalFilename, type } = object;
  if (!hasOnly(object, ['path', 'originalFilename', 'type', 'option'])) return;
  if (!isText(path) || !isText(originalFilename) || !isText(type)) return;
  return { kind: 'file', originalFilename, object };
}

function asAge(object: ObjectValue): ClassifiedObject | undefined {
  const { age } = object;
  if (typeof age !== 'number' || !hasOnly(object, ['age', 'asOfDateRef'])) return;
  return { kind: 'measure', number: age, object };
}

function asQuantity(object: ObjectValue): ClassifiedObject | undefined {
  const { numericValue } = object;
  if (typeof numericValue !== 'number' || !hasOnly(object, ['numericValue', 'unit'])) return;
  return { kind: 'measure', number: numericValue, object };
}

function asLabelled(object: ObjectValue): ClassifiedObject | undefined {
  const { label, value } = object;
  if (!isText(label) || !isText(value) || !hasOnly(object, ['label', 'value'])) return;
  return { kind: 'labelled', label, value, object };
}

function asDateRange(object: ObjectValue): ClassifiedObject | undefined {
  const [start, end] = [parseCalendarDate(cleaned(object['start'])), parseCalendarDate(cleaned(object['end']))];
  if (start === undefined || end === undefined || !hasOnly(object, ['start', 'end'])) return;
  return { kind: 'dateRange', start, end, object };
}

// Array.isArray does not narrow a readonly array.
const isList = (value: DeclarationValue): value is readonly DeclarationValue[] => Array.isArray(value);

const isText = (value: DeclarationValue | undefined): value is string => typeof value === 'string';

const cleaned = (value: DeclarationValue | undefined): DeclarationValue | undefined =>
  isText(value) ? cleanText(value) : value;

const isObject = (value: DeclarationValue | undefined): value is ObjectValue =>
  typeof value === 'object' && !isList(value);

const hasOnly = (object: ObjectValue, keys: readonly string[]): boolean =>
  Object.keys(object).every((key) => keys.includes(key));

/**
 * By condition (the table of S-10). An absent or undefined member matches nothing. Short names, as stored with every
 * record.
 */
export interface Fact {
  /** exact: the whole text after `ignoringCase` (text, date, boolean, file name, label, value, street detail). */
  readonly t?: string | undefined;
  /** range: the text after `cleanText`, in code-point order. */
  readonly x?: string | undefined;
  /** Order: the text as stored, if different. */
  readonly o?: string | undefined;
  /** exact, range: a number, by value (number, age, quantity). */
  readonly n?: number | undefined;
  /** range: a date. */
  readonly d?: string | undefined;
  /** exact, range: a date range, at least a day, the end exclusive. */
  readonly r?: readonly [start: string, end: string] | undefined;
  /** exact, fuzzy: the folded words of a name. */
  readonly w?: readonly string[] | undefined;
  /**
   * Order (S-12): the folded surname, first and middle name, a missing part first. A tab ends a part, and sorts before
   * a space. Undefined without words.
   */
  readonly k?: string | undefined;
  /** fuzzy: the folded words of a text. */
  readonly q?: readonly string[] | undefined;
  /** fuzzy: the joins of a name's or part's words (S-11). */
  readonly j?: readonly string[] | undefined;
  /** within: the named location. */
  readonly a?: string | undefined;
  /** exact: the country of an address, after `ignoringCase`. */
  readonly c?: string | undefined;
  /** For maps: the members' facts. */
  readonly m?: Facts | undefined;
}

/**
 * Field id, or member, to its facts; a condition needs one match. Each street detail, and each text of a label/value,
 * has its own fact. A list is `A_LIST` and its members' facts, flattened. Members of a map must match one fact, hence
 * one list member.
 */
export type Facts = Readonly<Record<string, readonly Fact[]>>;

/** Distinguishes a list of one member from that member, for sorts (S-12). */
const A_LIST: Fact = {};

/** No query reaches deeper values (S-4). */
const MAX_DEPTH = 16;

/** For conditions on `data`, computed once per write. */
export const factsOf = (declaration: Declaration): Facts => factsOfMembers(declaration, 1);

function factsOfMembers(object: Declaration, depth: number): Facts {
  return Object.fromEntries(Object.entries(object).map(([key, value]) => [key, factsOfValue(value, depth)]));
}

function factsOfValue(value: DeclarationValue, depth: number): readonly Fact[] {
  const found = classifyValue(value);
  switch (found.kind) {
    case 'text':
      return [
        {
          t: ignoringCase(found.text),
          q: wordsOf(found.text),
          x: found.text,
          a: parseUuid(found.text),
          o: otherThan(found.text, value),
        },
      ];
    case 'date':
      return [{ t: found.date, q: wordsOf(found.date), d: found.date, o: otherThan(found.date, value) }];
    case 'number':
      return [{ n: found.number }];
    case 'boolean':
      return [{ t: String(found.boolean) }];
    case 'list':
      return [A_LIST, ...found.members.flatMap((member) => factsOfValue(member, depth))];
    default:
      return factsOfObject(found, depth < MAX_DEPTH ? factsOfMembers(found.object, depth + 1) : undefined);
  }
}

const otherThan = (clean: string, value: DeclarationValue): string | undefined =>
  typeof value === 'string' && value !== clean ? value : undefined;

function factsOfObject(found: ClassifiedObject, m: Facts | undefined): readonly Fact[] {
  switch (found.kind) {
    case 'file':
      return [{ t: ignoringCase(found.originalFilename), m }];
    case 'name':
      return [factOfName(found.object, m)];
    case 'address':
      return [
        { c: ignoringCase(found.country), a: found.administrativeArea, m },
        ...found.streetDetails.map(textAlternative),
      ];
    case 'measure':
      return [{ n: found.number, m }];
    case 'labelled':
      return [{ m }, textAlternative(found.label), textAlternative(found.value)];
    case 'dateRange':
      return [{ r: found.start < found.end ? [found.start, found.end] : undefined, m }];
    case 'group':
      return [{ m }];
    default:
      return absurd(found);
  }
}

/** The order of S-12. */
const PARTS_IN_ORDER = ['surname', 'firstname', 'middlename'];

/** Each part has its own joins. */
function factOfName(name: Declaration, m: Facts | undefined): Fact {
  const words = new Map(
    Object.entries(name).map(([key, part]) => [key, wordsInOrder(typeof part === 'string' ? part : '')]),
  );
  const joins = new Map(Array.from(words, ([key, part]) => [key, joinsOf(part)]));
  const members = Object.entries(m ?? {}).map(([key, facts]) => [
    key,
    facts.map((fact) => ({ ...fact, j: joins.get(key) })),
  ]);
  const all = [...words.values()].flat();
  return {
    w: [...new Set(all)],
    k: all.length === 0 ? undefined : PARTS_IN_ORDER.map((key) => (words.get(key) ?? []).join(' ')).join('\t'),
    j: [...new Set([...joins.values()].flat())],
    m: m && (Object.fromEntries(members) as Facts),
  };
}

/** Without range and location. */
const textAlternative = (text: string): Fact => ({ t: ignoringCase(text), q: wordsOf(text) });
