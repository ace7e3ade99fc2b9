import { applyDecorators } from '@nestjs/common';
import { Transform } from 'class-transformer';
import { IsBoolean, IsObject, ValidateBy } from 'class-validator';
import { parseCalendarDate, parseDateTime, parseOffsetDateTime } from '../../kernel/domain/calendar.js';
import { withAsciiDigits, isWellFormedText, trimmed, WELL_FORMED_TEXT } from '../../kernel/domain/text.js';
import { parseUuid } from '../../kernel/domain/uuid.js';
import { isName, NAME_EXPECTED } from '../../kernel/input/checks.js';
import { Repeatable } from './members.js';

/** `2026-01-31`. */
export const IsCalendarDate = (): PropertyDecorator =>
  ValidateBy({
    name: 'isCalendarDate',
    validator: {
      validate: (value: unknown) => parseCalendarDate(value) !== undefined,
      defaultMessage: () => 'must be a calendar date such as 2026-01-31',
    },
  });

/** A query member; `read` returns undefined for text that no answer issued. */
export const IsCursor = (read: (text: string) => object | undefined): PropertyDecorator =>
  applyDecorators(
    Transform(({ value }: { value: unknown }) => (typeof value === 'string' ? (read(value) ?? value) : value)),
    IsObject({ message: 'must be one that an answer gave out' }),
  );

/** A query member: `true` or `false` in these words alone. */
export const IsFlag = (): PropertyDecorator =>
  applyDecorators(
    Transform(({ value }: { value: unknown }) => (value === 'true' ? true : value === 'false' ? false : value)),
    IsBoolean({ message: 'must be true or false' }),
  );

/** UTC, read to the millisecond as an `Instant`. */
export const IsInstant = (): PropertyDecorator =>
  applyDecorators(
    Transform(({ value }: { value: unknown }) => parseDateTime(value)?.instant ?? value),
    ValidateBy({
      name: 'isInstant',
      validator: {
        validate: (value: unknown) => parseDateTime(value) !== undefined,
        defaultMessage: () => 'must be a date-time in UTC such as 2026-01-02T03:04:05Z',
      },
    }),
  );

interface Options {
  readonly orNull?: boolean;
  readonly orEmpty?: boolean;
}

/** Short visible text; null or empty by option. */
export const IsName = ({ orNull = false, orEmpty = false }: Options = {}): PropertyDecorator =>
  ValidateBy({
    name: 'isName',
    validator: {
      validate: (value: unknown) => (orNull && value === null) || (orEmpty && value === '') || isName(value),
      defaultMessage: () => `${NAME_EXPECTED}${orNull ? ', or null' : ''}${orEmpty ? ', or empty' : ''}`,
    },
  });

/** Not before another member; silent if that is absent or faulty. */
export const IsNotBefore = (earlier: string): PropertyDecorator =>
  ValidateBy({
    name: 'isNotBefore',
    validator: {
      validate: (until: unknown, given) => {
        const since = (given?.object as Readonly<Record<string, string | undefined>>)[earlier];
        return since === undefined || parseDateTime(since) === undefined || String(until) >= since;
      },
      defaultMessage: () => `must not be before \`${earlier}\``,
    },
  });

/** With `Z` or an offset, read as an `Instant`. */
export const IsOffsetDateTime = (): PropertyDecorator =>
  applyDecorators(
    Transform(({ value }: { value: unknown }) => parseOffsetDateTime(value) ?? value),
    ValidateBy({
      name: 'isOffsetDateTime',
      validator: {
        validate: (value: unknown) => parseOffsetDateTime(value) !== undefined,
        defaultMessage: () => 'must be a date-time with an offset, such as 2026-01-02T03:04:05Z or …+02:00',
      },
    }),
  );

/** Text that Postgres can hold. */
export const IsText = (): PropertyDecorator =>
  ValidateBy({
    name: 'isText',
    validator: {
      validate: (value: unknown) => typeof value === 'string' && isWellFormedText(value),
      defaultMessage: (given) => (typeof given?.value === 'string' ? WELL_FORMED_TEXT : 'must be a string'),
    },
  });

/** A query member: UUIDs repeated, comma-separated, or both. */
export const IsUuidList = (): PropertyDecorator =>
  applyDecorators(
    Repeatable(),
    Transform(({ value }: { value: unknown }) =>
      (Array.isArray(value) ? value : [value]).flatMap((part: unknown) =>
        typeof part === 'string' ? part.split(',').map((text) => parseUuid(text) ?? text) : [part],
      ),
    ),
    ValidateBy({
      name: 'isUuidList',
      validator: {
        validate: (value: unknown) => Array.isArray(value) && value.every((item) => parseUuid(item) !== undefined),
        defaultMessage: () => 'must be UUIDs, repeated or with commas between them',
      },
    }),
  );

/** Any letter case, read in lower case; `orNull` permits null. */
export const IsUuid = ({ orNull = false }: { readonly orNull?: boolean } = {}): PropertyDecorator =>
  applyDecorators(
    Transform(({ value }: { value: unknown }) => parseUuid(value) ?? value),
    ValidateBy({
      name: 'isUuid',
      validator: {
        validate: (value: unknown) => parseUuid(value) !== undefined || (orNull && value === null),
        defaultMessage: () => `must be a UUID${orNull ? ' or null' : ''}`,
      },
    }),
  );

/** A query member in decimal digits only. */
export const IsWholeNumber = (least: number, most: number): PropertyDecorator =>
  applyDecorators(
    Transform(({ value }: { value: unknown }) =>
      typeof value === 'string' && /^\d+$/.test(value) ? Number(value) : value,
    ),
    ValidateBy({
      name: 'isWholeNumber',
      validator: {
        validate: (value: unknown) => Number.isInteger(value) && Number(value) >= least && Number(value) <= most,
        defaultMessage: () => `must be a whole number from ${least} to ${most}`,
      },
    }),
  );

const ofText = (read: (text: string) => string): PropertyDecorator =>
  Transform(({ value }: { value: unknown }): unknown => (typeof value === 'string' ? read(value) : value));

/** Typed by a person: keyboards and copying add white space at the ends (U-6). */
export const Typed = (): PropertyDecorator => ofText(trimmed);

/** White space, hyphens of any width, and invisible characters. */
const GROUPING = /[\s\p{Pd}\u2212\p{Default_Ignorable_Code_Point}]+/gu;

/** A code typed by a person, perhaps in groups, in the digits of their script (U-6). */
export const TypedCode = (): PropertyDecorator => ofText((text) => withAsciiDigits(text.replace(GROUPING, '')));
