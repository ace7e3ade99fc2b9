import { isNoRealDate, parseCalendarDate, parseDateTime } from '../../../kernel/domain/calendar.js';
import { EVENT_STATUSES, USER_TYPES } from '../../../kernel/domain/event-record.js';
import type { ScalarKind } from '../../../kernel/domain/record-columns.js';
import type {
  Condition,
  DataInput,
  DataMember,
  DateCondition,
  DateTerm,
  InstantField,
  TextField,
  TimePeriodDays,
  ValueCondition,
} from '../../../kernel/domain/search-request.js';
import { SEARCHED_FIELDS } from '../../../kernel/domain/searched-fields.js';
import {
  cleanText,
  isWellFormedText,
  placeIdIn,
  spellingsOfId,
  spellingsOfUuid,
  WELL_FORMED_TEXT,
} from '../../../kernel/domain/text.js';
import { quoted } from '../../../kernel/errors/faults.js';
import { absurd } from '../../../kernel/errors/service-error.js';
import { isLongerThan } from '../../../kernel/input/checks.js';
import { given, type Input } from '../../../kernel/input/input.js';
import { isPast } from './interval-of-term.js';
import {
  MAX_DATA_KEYS,
  MAX_DATA_LEVELS,
  MAX_FIELD_ID_CODE_POINTS,
  MAX_FUZZY_CODE_POINTS,
  MAX_TERMS,
} from './schemas.js';

const KEYS = {
  exact: ['term'],
  anyOf: ['terms'],
  fuzzy: ['term'],
  range: ['gte', 'lte'],
  within: ['location'],
  timePeriod: ['term'],
} as const;

type ConditionType = keyof typeof KEYS;

/** Null if none is `allowed`. Keys of other conditions are refused. */
export function conditionType<const T extends ConditionType>(input: Input, allowed: readonly T[]): T | null {
  if (!input.isObject) {
    return input.refuse(`must be an object whose \`type\` is ${allowed.length > 1 ? 'one of ' : ''}${quoted(allowed)}`);
  }
  const type = input.member('type').oneOf(allowed);
  if (type !== null) input.refuseKeysBut(['type', ...KEYS[type]]);
  // Detects a misspelt `type`.
  else if (!input.has('type')) input.refuseKeysBut(['type', ...new Set(allowed.flatMap((name) => [...KEYS[name]]))]);
  return type;
}

/** Also for a key inside a value; undefined if there is none. */
export function fieldIdFault(id: string): string | undefined {
  if (id === '') return 'a field id must not be empty';
  if (id === '__proto__') return 'unknown key';
  if (!isWellFormedText(id)) return `a field id ${WELL_FORMED_TEXT}`;
  if (isLongerThan(id, MAX_FIELD_ID_CODE_POINTS)) {
    return `a field id must have at most ${MAX_FIELD_ID_CODE_POINTS} code points`;
  }
  return undefined;
}

const termsOf = (kind: ScalarKind): { readonly read: (input: Input) => string | null; readonly plural: string } => {
  if (kind === 'status') return { read: (input) => input.oneOf(EVENT_STATUSES), plural: 'statuses' };
  if (kind === 'userType') return { read: (input) => input.oneOf(USER_TYPES), plural: 'user types' };
  return { read: (input) => input.text(), plural: 'strings' };
};

/** A text, `{type: exact, term}` or `{type: anyOf, terms}`, by the table of columns. */
export function textCondition(field: TextField): (input: Input) => Condition | null {
  const { kind, search } = SEARCHED_FIELDS[field];
  const { read, plural } = termsOf(kind);
  const { accepts, values } = search;
  const spellings = values === 'unique' ? spellingsOfId : spellingsOfUuid;
  if (accepts === 'plain')
    return (input) => given(read(input), (term) => ({ on: 'text', field, terms: spellings(term) }));
  return (input) =>
    given(conditionType<'exact' | 'anyOf'>(input, accepts), (type) =>
      given(
        type === 'exact'
          ? given(read(input.member('term')), spellings)
          : input.member('terms').listOf(plural, MAX_TERMS, read),
        (terms) => ({ on: 'text' as const, field, terms: terms.flatMap(spellings) }),
      ),
    );
}

/** An empty list matches nothing (S-6). */
const readTerms = (input: Input, read: (item: Input) => string | null): readonly string[] | null =>
  input.member('terms').listOf('strings', MAX_TERMS, read);

export const TIME_PERIODS = ['last7Days', 'last30Days', 'last90Days', 'last365Days'] as const;

const DAYS: Readonly<Record<(typeof TIME_PERIODS)[number], TimePeriodDays>> = {
  last7Days: 7,
  last30Days: 30,
  last90Days: 90,
  last365Days: 365,
};

/** S-8. */
export const instantCondition =
  (field: InstantField) =>
  (input: Input): Condition | null =>
    given(parseDateCondition(input), (condition) => ({ on: 'instant', field, condition }));

function parseDateCondition(input: Input): DateCondition | null {
  const type = conditionType(input, ['exact', 'range', 'timePeriod']);
  switch (type) {
    case 'exact':
      return given(parseDateTerm(input.member('term')), (term) => ({ type, term }));
    case 'range':
      return parseDateRange(input);
    case 'timePeriod':
      return given(input.member('term').oneOf(TIME_PERIODS), (term) => ({ type, days: DAYS[term] }));
    case null:
      return null;
    default:
      return absurd(type);
  }
}

function parseDateRange(input: Input): DateCondition | null {
  const gte = parseDateTerm(input.member('gte'));
  const lte = parseDateTerm(input.member('lte'));
  if (gte === null || lte === null) return null;
  return isPast(gte, lte, input.notes.timezone)
    ? input.refuse('`gte` must not be after `lte`')
    : { type: 'range', gte, lte };
}

function parseDateTerm(input: Input): DateTerm | null {
  const date = parseCalendarDate(input.value);
  if (date !== undefined) return { kind: 'date', date };
  const dateTime = parseDateTime(input.value);
  if (dateTime !== undefined) return { kind: 'dateTime', ...dateTime };
  return input.refuse('must be a real date such as `2026-01-31`, or a date-time in UTC such as `2026-01-31T08:30:00Z`');
}

const VALUE_CONDITIONS = ['fuzzy', 'exact', 'range', 'within', 'anyOf'] as const;

/** A map of fields, or one condition on any field (S-10). */
export const dataCondition = (input: Input): Condition | null =>
  given(parseDataInput(input, 1), (parsed) => {
    if (parsed.type === 'map') return { on: 'data', members: parsed.members };
    return parsed.type === 'range'
      ? input.refuse('must name the field of a range: `{"<field id>": {"type": "range", …}}`')
      : { on: 'anyField', condition: parsed };
  });

/** A condition by its `type`, or else a map, whose field `type` has an object as value. */
function parseDataInput(input: Input, level: number, isDate = false): DataInput | null {
  if (!input.isObject) {
    return input.refuse(`must be a map of fields, or a condition whose \`type\` is one of ${quoted(VALUE_CONDITIONS)}`);
  }
  const type = input.member('type');
  return type.isAbsent || type.isObject ? parseMap(input, level) : parseValueCondition(input, isDate);
}

/** An empty map is refused: a search must not silently lose a condition. */
function parseMap(input: Input, level: number): DataInput | null {
  if (level > MAX_DATA_LEVELS) {
    return input.refuse(`maps in \`data\` must be at most ${MAX_DATA_LEVELS} levels deep, \`data\` being the first`);
  }
  const { keys, notes } = input;
  if (keys.length === 0) return input.refuse('must name at least one field');
  const room = Math.max(0, MAX_DATA_KEYS - notes.dataKeys);
  notes.dataKeys += keys.length;
  const members = keys
    .slice(0, room)
    .map((key) => parseMember(input.member(key), key, level))
    .filter((member) => member !== null);
  return { type: 'map', members };
}

function parseMember(input: Input, key: string, level: number): DataMember | null {
  const fault = fieldIdFault(key);
  if (fault !== undefined) return input.refuse(fault);
  const isDate = level === 1 && input.notes.dateFields?.has(key) === true;
  return given(parseDataInput(input, level + 1, isDate), (member) => ({ key, input: member }));
}

function parseValueCondition(input: Input, isDate: boolean): ValueCondition | null {
  const type = conditionType(input, VALUE_CONDITIONS);
  switch (type) {
    case 'fuzzy':
      return given(readFuzzyTerm(input.member('term')), (term) => ({ type, term }));
    case 'exact':
      return given(readText(input.member('term'), isDate), (term) => ({ type, term }));
    case 'anyOf':
      return given(
        readTerms(input, (item) => readText(item, isDate)),
        (terms) => ({ type, terms }),
      );
    case 'range': {
      const [gte, lte] = [readText(input.member('gte'), true), readText(input.member('lte'), true)];
      return gte === null || lte === null ? null : { type, gte, lte };
    }
    case 'within':
      return given(input.member('location').text(), (location) => ({ type, location: placeIdIn(location) }));
    case null:
      return null;
    default:
      return absurd(type);
  }
}

/** A date that does not exist would silently match nothing (S-10). */
function readText(input: Input, isDate: boolean): string | null {
  const text = input.text();
  if (text === null || !isDate || input.notes.dateFields === undefined || !isNoRealDate(cleanText(text))) return text;
  return input.refuse('must be a real date such as `2026-01-31`');
}

function readFuzzyTerm(input: Input): string | null {
  const term = input.text();
  if (term === null || !isLongerThan(term, MAX_FUZZY_CODE_POINTS)) return term;
  return input.refuse(`must have at most ${MAX_FUZZY_CODE_POINTS} code points in a fuzzy condition`);
}
