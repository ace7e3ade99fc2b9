import type { SchemaObject } from '@nestjs/swagger';
import { EVENT_STATUSES } from '../../../kernel/domain/event-status.js';
import { USER_TYPES } from '../../../kernel/domain/author.js';
import { closedObject, type Schema } from '../../../platform/openapi/schemas.js';
import {
  MAX_DATA_KEYS,
  MAX_DATA_LEVELS,
  MAX_FIELD_ID_CODE_POINTS,
  MAX_FUZZY_CODE_POINTS,
  MAX_TERMS,
  oneOf,
  schemaRef,
  TEXT_CHARACTER,
  TEXT_SCHEMA as text,
} from './schemas.js';
import { TIME_PERIODS } from './parse-date-condition.js';

const listOf = (items: Schema): SchemaObject => ({ type: 'array', items, maxItems: MAX_TERMS });

const condition = (type: string, keys: Record<string, Schema>, description: string): SchemaObject => ({
  ...closedObject({ type: oneOf([type]), ...keys }),
  description,
});

/** Every `MM-DD` of some year. */
const DAY_OF_A_YEAR = '((0[13578]|1[02])-(0[1-9]|[12]\\d|3[01])|(0[469]|11)-(0[1-9]|[12]\\d|30)|02-(0[1-9]|[12]\\d))';

/** The schemas of conditions. */
export const CONDITION_SCHEMAS: Record<string, SchemaObject> = {
  StatusExact: condition('exact', { term: oneOf(EVENT_STATUSES) }, 'The status itself'),
  StatusAnyOf: condition(
    'anyOf',
    { terms: listOf(oneOf(EVENT_STATUSES)) },
    'One of the statuses; an empty list matches nothing',
  ),
  UserTypeExact: condition('exact', { term: oneOf(USER_TYPES) }, 'Created by a person or by a system client'),
  Exact: condition(
    'exact',
    { term: text },
    'The whole text, case-sensitively; in `data`, what equality means for the value that is met',
  ),
  AnyOf: condition('anyOf', { terms: listOf(text) }, 'As `exact`, for one of the terms; an empty list matches nothing'),
  Within: condition('within', { location: text }, 'That location, or one below it in the hierarchy as it stands now'),
  Fuzzy: condition(
    'fuzzy',
    { term: { ...text, maxLength: MAX_FUZZY_CODE_POINTS } },
    'Every word of the term is near a word of the value: words of 1 or 2 letters equal, of 3 to 5 at most one edit away, longer ones two; letter case and diacritics aside',
  ),
  Range: condition('range', { gte: text, lte: text }, 'Both ends included; by date, by number or by code point'),
  DateOrDateTime: {
    anyOf: [
      { type: 'string', format: 'date' },
      { type: 'string', pattern: `^\\d{4}-${DAY_OF_A_YEAR}T([01]\\d|2[0-3]):[0-5]\\d(:[0-5]\\d(\\.\\d+)?)?Z$` },
    ],
    description: 'A calendar date, read in the time zone of the service, or a date-time in UTC',
    examples: ['2026-01-31', '2026-01-31T08:30:00Z'],
  },
  DateExact: condition(
    'exact',
    { term: schemaRef('DateOrDateTime') },
    'That whole day; or that second, or millisecond when a fraction is given',
  ),
  DateRange: condition(
    'range',
    { gte: schemaRef('DateOrDateTime'), lte: schemaRef('DateOrDateTime') },
    'Both ends included, to the end of the day or second that `lte` names; `gte` must not be after `lte`',
  ),
  TimePeriod: condition('timePeriod', { term: oneOf(TIME_PERIODS) }, 'From now less as many times 24 hours, to now'),
  DateCondition: { anyOf: [schemaRef('DateExact'), schemaRef('DateRange'), schemaRef('TimePeriod')] },
  FlagsCondition: closedObject(
    {
      anyOf: { ...listOf(schemaRef('Flag')), description: 'At least one of them; an empty list matches nothing' },
      noneOf: { ...listOf(schemaRef('Flag')), description: 'None of them' },
      allOf: { ...listOf(schemaRef('Flag')), description: 'Each of them' },
    },
    { description: 'The lists that are given must all hold', examples: [{ noneOf: ['rejected'] }] },
  ),
  QueryInput: {
    anyOf: ['Fuzzy', 'Exact', 'Range', 'Within', 'AnyOf', 'QueryInputMap'].map(schemaRef),
    description:
      'A condition, known by its `type`, or a map of keys into the value. As `data` itself, a condition holds when some field of the declaration satisfies it',
  },
  QueryInputMap: {
    type: 'object',
    minProperties: 1,
    patternProperties: {
      [`^(?!__proto__$)${TEXT_CHARACTER}{1,${MAX_FIELD_ID_CODE_POINTS}}$`]: schemaRef('QueryInput'),
    },
    additionalProperties: false,
    description: `Field ids of the declaration (dots belong to the id), or keys inside a value, with what must hold there; at most ${MAX_DATA_LEVELS} levels and ${MAX_DATA_KEYS} keys in all`,
    examples: [
      { 'child.name': { type: 'fuzzy', term: 'Musonda' } },
      { 'child.address': { country: { type: 'exact', term: 'FAR' } } },
    ],
  },
};
