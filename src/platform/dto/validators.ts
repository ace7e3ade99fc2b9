import { applyDecorators } from '@nestjs/common';
import { IsBoolean, IsObject } from 'class-validator';
import { parseCalendarDate, parseDateTime, parseOffsetDateTime } from '../../kernel/domain/calendar.js';
import { withAsciiDigits, isWellFormedText, trimmed, WELL_FORMED_TEXT } from '../../kernel/domain/text.js';
import { parseUuid } from '../../kernel/domain/uuid.js';
import { isName, NAME_EXPECTED } from '../../kernel/input/checks.js';
import { Checked, ReadBy, Repeatable } from './members.js';

/** The value is read by `parse`, which returns undefined for all that is not as `expected`. */
const IsParsed = (name: string, parse: (value: unknown) => unknown, expected: string): PropertyDecorator =>
  applyDecorators(
    ReadBy((value) => parse(value) ?? value),
    Checked(name, (value) => parse(value) !== undefined, expected),
  );

export const IsCalendarDate = (): PropertyDecorator =>
  IsParsed('isCalendarDate', parseCalendarDate, 'must be a calendar date such as 2026-01-31');

/** A query member; `read` returns undefined for text that no answer issued. */
export const IsCursor = (read: (text: string) => object | undefined): PropertyDecorator =>
  applyDecorators(
    ReadBy((value) => (typeof value === 'string' ? (read(value) ?? value) : value)),
    IsObject({ message: 'must be one that an answer gave out' }),
  );

/** A query member: `true` or `false` in these words alone. */
export const IsFlag = (): PropertyDecorator =>
  applyDecorators(
    ReadBy((value) => (value === 'true' ? true : value === 'false' ? false : value)),
    IsBoolean({ message: 'must be true or false' }),
  );

/** UTC, read to the millisecond as an `Instant`. */
export const IsInstant = (): PropertyDecorator =>
  IsParsed(
    'isInstant',
    (value) => parseDateTime(value)?.instant,
    'must be a date-time in UTC such as 2026-01-02T03:04:05Z',
  );

interface Options {
  readonly orNull?: boolean;
  readonly orEmpty?: boolean;
}

/** Short visible text; null or empty by option. */
export const IsName = ({ orNull = false, orEmpty = false }: Options = {}): PropertyDecorator =>
  Checked(
    'isName',
    (value) => (orNull && value === null) || (orEmpty && value === '') || isName(value),
    `${NAME_EXPECTED}${orNull ? ', or null' : ''}${orEmpty ? ', or empty' : ''}`,
  );

/** Not before another member; silent if that is absent or faulty. */
export const IsNotBefore = (earlier: string): PropertyDecorator =>
  Checked(
    'isNotBefore',
    (until, given) => {
      const since = (given?.object as Readonly<Record<string, string | undefined>>)[earlier];
      return since === undefined || parseDateTime(since) === undefined || String(until) >= since;
    },
    `must not be before \`${earlier}\``,
  );

/** With `Z` or an offset, read as an `Instant`. */
export const IsOffsetDateTime = (): PropertyDecorator =>
  IsParsed(
    'isOffsetDateTime',
    parseOffsetDateTime,
    'must be a date-time with an offset, such as 2026-01-02T03:04:05Z or …+02:00',
  );

/** Text that Postgres can hold. */
export const IsText = (): PropertyDecorator =>
  Checked(
    'isText',
    (value) => typeof value === 'string' && isWellFormedText(value),
    (given) => (typeof given?.value === 'string' ? WELL_FORMED_TEXT : 'must be a string'),
  );

/** A query member: UUIDs repeated, comma-separated, or both. */
export const IsUuidList = (): PropertyDecorator =>
  applyDecorators(
    Repeatable(),
    ReadBy((value) =>
      (Array.isArray(value) ? value : [value]).flatMap((part: unknown) =>
        typeof part === 'string' ? part.split(',').map((text) => parseUuid(text) ?? text) : [part],
      ),
    ),
    Checked(
      'isUuidList',
      (value) => Array.isArray(value) && value.every((item) => parseUuid(item) !== undefined),
      'must be UUIDs, repeated or with commas between them',
    ),
  );

/** Any letter case, read in lower case; `orNull` permits null. */
export const IsUuid = ({ orNull = false }: Pick<Options, 'orNull'> = {}): PropertyDecorator =>
  IsParsed(
    'isUuid',
    (value) => (orNull && value === null ? null : parseUuid(value)),
    `must be a UUID${orNull ? ' or null' : ''}`,
  );

/** A query member in decimal digits only. */
export const IsWholeNumber = (least: number, most: number): PropertyDecorator =>
  applyDecorators(
    ReadBy((value) => (typeof value === 'string' && /^\d+$/.test(value) ? Number(value) : value)),
    Checked(
      'isWholeNumber',
      (value) => Number.isInteger(value) && Number(value) >= least && Number(value) <= most,
      `must be a whole number from ${least} to ${most}`,
    ),
  );

const ofText = (read: (text: string) => string): PropertyDecorator =>
  ReadBy((value) => (typeof value === 'string' ? read(value) : value));

/** Typed by a person: keyboards and copying add white space at the ends (U-6). */
export const Typed = (): PropertyDecorator => ofText(trimmed);

/** White space, hyphens of any width, and invisible characters. */
const GROUPING = /[\s\p{Pd}\u2212\p{Default_Ignorable_Code_Point}]+/gu;

/** A code typed by a person, perhaps in groups, in the digits of their script (U-6). */
export const TypedCode = (): PropertyDecorator => ofText((text) => withAsciiDigits(text.replace(GROUPING, '')));
