import { EVENT_TYPE_NAMES, isEventTypeName } from '../../kernel/domain/event-configuration/event-type.js';
import { type Faults, memberPath } from '../../kernel/errors/faults.js';
import { messageOf } from '../../kernel/errors/service-error.js';
import { repeatedKey } from '../../kernel/input/json.js';
import { NAME, type Reader } from '../../kernel/input/readers.js';

/** Records a fault for the place of a syntax error, or for a duplicate key, of which parsing would keep the last. */
export function parseJson(text: string, faults: Faults): unknown {
  try {
    const value: unknown = JSON.parse(text);
    const repeated = repeatedKey(text);
    if (repeated !== undefined) faults.add(repeated, 'is given twice');
    return value;
  } catch (error) {
    faults.add('file', `must be JSON: ${messageOf(error)}`);
    return undefined;
  }
}

export const LONGEST_LIST = 2_000;
/** Nesting of rules and conditions. */
export const DEEPEST = 16;
/** Refused in every declaration and search. */
export const UNUSABLE_KEY = '__proto__';
/** Each is a condition of one search that declaring and registering wait for. Fields in pairs make a few dozen. */
export const MOST_COMPARISONS = 100;
/** A hundred years. */
export const MOST_DAYS = 36_525;

export const BOOLEAN: Reader<boolean> = {
  expected: 'must be true or false',
  read: (value) => (typeof value === 'boolean' ? value : undefined),
};

export const EVENT_TYPE: Reader<string> = {
  expected: `must be a name ${EVENT_TYPE_NAMES}`,
  read: (value) => (typeof value === 'string' && isEventTypeName(value) ? value : undefined),
};

/** Any name but `UNUSABLE_KEY`. */
export const FIELD_ID: Reader<string> = {
  expected: `${NAME.expected}, other than ${UNUSABLE_KEY}`,
  read: (value) => (value === UNUSABLE_KEY ? undefined : NAME.read(value)),
};

export const DAYS: Reader<number> = {
  expected: `must be a whole number from 0 to ${MOST_DAYS}`,
  read: (value) =>
    typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= MOST_DAYS ? value : undefined,
};

export const SCALAR: Reader<string | number | boolean> = {
  expected: 'must be text, a number, true or false',
  read: (value) =>
    typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? value : undefined,
};

type ParseItem<T> = (value: unknown, path: string, faults: Faults) => T | undefined;

export const listOf =
  <T>(parse: ParseItem<T>, least = 0) =>
  (value: unknown, path: string, faults: Faults): readonly T[] => {
    if (value === undefined && least === 0) return [];
    if (!Array.isArray(value) || value.length < least || value.length > LONGEST_LIST) {
      faults.add(path, `${value === undefined ? 'is required and ' : ''}must be a list of ${least} to ${LONGEST_LIST}`);
      return [];
    }
    return value.flatMap((item: unknown, at) => parse(item, memberPath(path, at), faults) ?? []);
  };

export const ifGiven =
  <T>(parse: ParseItem<T>): ParseItem<T> =>
  (value, path, faults) =>
    value === undefined ? undefined : parse(value, path, faults);

export const item =
  <T>(reader: Reader<T>): ParseItem<T> =>
  (value, path, faults) => {
    const found = reader.read(value);
    if (found === undefined) faults.add(path, reader.expected);
    return found;
  };

export const names = (value: unknown, path: string, faults: Faults): readonly string[] | undefined => {
  if (value === undefined) return undefined;
  if (typeof value !== 'string') return listOf(item(NAME), 1)(value, path, faults);
  const name = item(NAME)(value, path, faults);
  return name === undefined ? [] : [name];
};
