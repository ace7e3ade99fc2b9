import { type CalendarDate, type Instant, parseCalendarDate, parseDateTime } from '../domain/calendar.js';
import { isUserType, type UserType } from '../domain/event-record.js';
import { isWellFormedText } from '../domain/text.js';
import { lowerUuid, parseUuid, type Uuid } from '../domain/uuid.js';
import { type Faults, invalidInput, memberPath } from '../errors/faults.js';
import type { Issue } from '../errors/service-error.js';
import { isLeftOut, isLongerThan, isObject } from './checks.js';

/** `expected` completes the fault's sentence: `must be a UUID`. */
export interface Reader<T> {
  readonly expected: string;
  /** Undefined if `value` is not of the kind. */
  readonly read: (value: unknown) => T | undefined;
}

/** Reads members of one JSON object; every fault is recorded with its path. */
export class Members {
  private constructor(
    private readonly source: Readonly<Record<string, unknown>>,
    private readonly path: string,
    private readonly faults: Faults,
  ) {}

  /** Undefined, with a fault, if `value` is not an object. */
  static of(value: unknown, path: string, faults: Faults): Members | undefined {
    if (isObject(value)) return new Members(value, path, faults);
    faults.add(path, 'must be an object');
    return undefined;
  }

  /** After a fault the value must not be used: the parser returns the faults. */
  required<T>(key: string, reader: Reader<T>): T {
    const value = this.get(key);
    const found = reader.read(value);
    if (found === undefined) {
      this.fault(key, value === undefined ? `is required and ${reader.expected}` : reader.expected);
    }
    return found as T;
  }

  /** Null if absent or null. */
  nullable<T>(key: string, reader: Reader<T>): T | null {
    const value = this.get(key);
    if (isLeftOut(value)) return null;
    const found = reader.read(value);
    if (found === undefined) this.fault(key, `${reader.expected}, or null`);
    return found ?? null;
  }

  /** Absent is allowed; null is a fault. */
  optional<T>(key: string, reader: Reader<T>): T | undefined {
    const value = this.get(key);
    if (value === undefined) return undefined;
    const found = reader.read(value);
    if (found === undefined) this.fault(key, reader.expected);
    return found;
  }

  parsed<T>(key: string, parse: (value: unknown, path: string, faults: Faults) => T): T {
    return parse(this.get(key), memberPath(this.path, key), this.faults);
  }

  refuseOthersThan(known: ReadonlySet<string>): void {
    for (const key of Object.keys(this.source)) if (!known.has(key)) this.fault(key, 'is not a known key');
  }

  private get(key: string): unknown {
    return Object.hasOwn(this.source, key) ? this.source[key] : undefined;
  }

  private fault(key: string, message: string): void {
    this.faults.add(memberPath(this.path, key), message);
  }
}

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
