import { type Fact, factsOf } from '../../index/values/facts.js';
import { type CalendarDate, parseCalendarDate } from '../../../kernel/domain/calendar.js';
import { cleanText } from '../../../kernel/domain/text.js';
import { type Declaration, type DeclarationValue, ownValue } from '../../../kernel/domain/declaration.js';

/** Longer texts are not compared: rules are about names, dates and numbers of documents. */
const MOST_CODE_POINTS = 256;
/** Limits the other record's value, as JSON. */
const MOST_JSON = 10_000;
/** Clean; of a name, its words; undefined for what rules cannot compare. */
export function comparedText(declaration: Declaration, field: string): string | undefined {
  const value = ownValue(declaration, field);
  const text = typeof value === 'object' ? nameOf(value) : value === undefined ? '' : cleanText(String(value));
  return text === '' || text === undefined || Array.from(text).length > MOST_CODE_POINTS ? undefined : text;
}

/** Undefined unless it is a name. */
export const wordsOfName = (declaration: Declaration, field: string): readonly string[] | undefined =>
  factsToCompare(declaration, field).find(({ w }) => w !== undefined)?.w;

export function comparedDate(declaration: Declaration, field: string): CalendarDate | undefined {
  const value = ownValue(declaration, field);
  return typeof value === 'string' ? parseCalendarDate(cleanText(value)) : undefined;
}

/** Empty if the value is too long. */
export function factsToCompare(declaration: Declaration, field: string): readonly Fact[] {
  const value = ownValue(declaration, field);
  if (value === undefined || JSON.stringify(value).length > MOST_JSON) return [];
  return factsOf({ value })['value'] ?? [];
}

const nameOf = (value: DeclarationValue): string | undefined => {
  if (Array.isArray(value)) return undefined;
  if (JSON.stringify(value).length > MOST_JSON) return undefined;
  return factsOf({ value })
    ['value']?.find(({ w }) => w !== undefined)
    ?.w?.join(' ');
};
