import { type CalendarDate, parseCalendarDate } from '../../../kernel/domain/calendar.js';
import { cleanText } from '../../../kernel/domain/text.js';
import type { DeclarationValue } from '../../../kernel/domain/declaration.js';
import { parseUuid, type Uuid } from '../../../kernel/domain/uuid.js';

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
export function classifyValue(value: DeclarationValue): ClassifiedValue {
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
