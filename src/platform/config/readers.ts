import { EVENT_TYPE_NAMES, isEventTypeName } from '../../kernel/domain/event-configuration/event-type.js';
import type { Faults } from '../../kernel/errors/faults.js';
import { memberPath } from '../../kernel/errors/issue-path.js';
import type { Reader } from '../../kernel/input/members.js';
import { NAME } from '../../kernel/input/readers.js';

/** The most that a list of a configuration may hold. */
export const LONGEST_LIST = 2_000;
/** How deep rules and conditions may be nested. */
export const DEEPEST = 16;
/** The key that is refused in every declaration and search. */
export const UNUSABLE_KEY = '__proto__';
/**
 * The most comparisons in a rule for duplicates: each is a condition of a search that declaring and registering wait
 * for, and that is compiled in one piece. Fields in pairs make a few dozen.
 */
export const MOST_COMPARISONS = 100;
/** The most days in a rule or condition: a hundred years. */
export const MOST_DAYS = 36_525;

/** `true` or `false`. */
export const BOOLEAN: Reader<boolean> = {
  expected: 'must be true or false',
  read: (value) => (typeof value === 'boolean' ? value : undefined),
};

/** The name of a type of event, as it stands in addresses and scopes. */
export const EVENT_TYPE: Reader<string> = {
  expected: `must be a name ${EVENT_TYPE_NAMES}`,
  read: (value) => (typeof value === 'string' && isEventTypeName(value) ? value : undefined),
};

/** The id of a field: any name but the key that no declaration may have. */
export const FIELD_ID: Reader<string> = {
  expected: `${NAME.expected}, other than ${UNUSABLE_KEY}`,
  read: (value) => (value === UNUSABLE_KEY ? undefined : NAME.read(value)),
};

/** A whole number of days. */
export const DAYS: Reader<number> = {
  expected: `must be a whole number from 0 to ${MOST_DAYS}`,
  read: (value) =>
    typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= MOST_DAYS ? value : undefined,
};

/** A value that a field may be compared with. */
export const SCALAR: Reader<string | number | boolean> = {
  expected: 'must be text, a number, true or false',
  read: (value) =>
    typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? value : undefined,
};

type ParseItem<T> = (value: unknown, path: string, faults: Faults) => T | undefined;

/** A list of `least` to 2,000 items, each read by `parse`; of an absent one, if it may be absent, no items. */
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

/** What `parse` reads of a value that may be absent. */
export const ifGiven =
  <T>(parse: ParseItem<T>): ParseItem<T> =>
  (value, path, faults) =>
    value === undefined ? undefined : parse(value, path, faults);

/** An item that one reader reads. */
export const item =
  <T>(reader: Reader<T>): ParseItem<T> =>
  (value, path, faults) => {
    const found = reader.read(value);
    if (found === undefined) faults.add(path, reader.expected);
    return found;
  };

/** Names: one, or a list of them. */
export const names = (value: unknown, path: string, faults: Faults): readonly string[] | undefined => {
  if (value === undefined) return undefined;
  if (typeof value !== 'string') return listOf(item(NAME), 1)(value, path, faults);
  const name = item(NAME)(value, path, faults);
  return name === undefined ? [] : [name];
};
