import { isUserType, type UserType } from '../domain/author.js';
import { type CalendarDate, type Instant, parseCalendarDate, parseDateTime } from '../domain/calendar.js';
import { isWellFormedText } from '../domain/text.js';
import { lowerUuid, parseUuid, type Uuid } from '../domain/uuid.js';
import { invalidInput } from '../errors/faults.js';
import type { Issue } from '../errors/service-error.js';
import { isLongerThan } from './checks.js';
import type { Reader } from './members.js';

/** The typed value, or every fault with its path (G-4). */
export type Parsed<T> =
  { readonly kind: 'parsed'; readonly value: T } | { readonly kind: 'faulty'; readonly issues: readonly Issue[] };

/** `value` counts only without faults. */
export const outcomeOf = <T>(value: T, faults: { readonly issues: readonly Issue[] }): Parsed<T> =>
  faults.issues.length === 0 ? { kind: 'parsed', value } : { kind: 'faulty', issues: faults.issues };

/** Code points outside the declaration: index entries are limited. */
const LONGEST = 256;

const isText = (value: unknown, shortest: number): value is string =>
  typeof value === 'string' && value.length >= shortest && !isLongerThan(value, LONGEST) && isWellFormedText(value);

const textExpected = (shortest: number): string =>
  `must be text of ${shortest} to ${LONGEST} characters without U+0000 and without unpaired surrogates`;

/** May be empty. A UUID, as the id of a user, is in lower case. */
export const TEXT: Reader<string> = {
  expected: textExpected(0),
  read: (value) => (isText(value, 0) ? lowerUuid(value) : undefined),
};

/** An id, a type, a number or a flag. A UUID is in lower case. */
export const NAME: Reader<string> = {
  expected: textExpected(1),
  read: (value) => (isText(value, 1) ? lowerUuid(value) : undefined),
};

export const UUID: Reader<Uuid> = { expected: 'must be a UUID', read: parseUuid };

/** Truncated to milliseconds, as in the record. */
export const INSTANT: Reader<Instant> = {
  expected: 'must be a date-time in UTC that ends with Z, such as 2026-01-02T03:04:05.000Z',
  read: (value) => parseDateTime(value)?.instant,
};

export const DATE: Reader<CalendarDate> = {
  expected: 'must be a calendar date YYYY-MM-DD',
  read: parseCalendarDate,
};

export const USER_TYPE: Reader<UserType> = {
  expected: 'must be "user" or "system"',
  read: (value) => (isUserType(value) ? value : undefined),
};

export const oneOf = <const T extends string>(values: readonly T[]): Reader<T> => ({
  expected: `must be one of ${values.join(', ')}`,
  read: (value) => values.find((candidate) => candidate === value),
});

/** In lower case; `name` is the parameter's. Throws 400 BAD_REQUEST for anything else. */
export function requireUuid(value: unknown, name: string): Uuid {
  const id = parseUuid(value);
  if (id !== undefined) return id;
  throw invalidInput(`${name}: must be a UUID`);
}
