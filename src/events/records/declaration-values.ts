import type { Declaration } from '../../kernel/domain/event-record.js';
import type { ChangeValue, DeclarationChange } from '../../kernel/domain/event-action.js';
import { isVisible, isWellFormedText, WELL_FORMED_TEXT } from '../../kernel/domain/text.js';
import { type Faults, memberPath } from '../../kernel/errors/faults.js';
import { isObject } from '../../kernel/input/checks.js';

/** Nesting depth within one value. */
const DEEPEST = 32;

type Where = string | Inside;

interface Inside {
  readonly parent: Where;
  readonly key: string | number;
  /** Objects and arrays around it, itself included. */
  readonly depth: number;
}

const inside = (parent: Where, key: string | number): Inside => ({
  parent,
  key,
  depth: typeof parent === 'string' ? 1 : parent.depth + 1,
});

const pathOf = (where: Where): string =>
  typeof where === 'string' ? where : memberPath(pathOf(where.parent), where.key);

const at = (parent: Where, key: string | number) => (): string => memberPath(pathOf(parent), key);

interface Reading {
  readonly faults: Faults;
  readonly nulls: 'kept' | 'left out';
}

/**
 * A record's declaration. Any JSON is a value; nulls are removed at every level (S-13).
 */
export function readDeclaration(value: unknown, path: string, faults: Faults): Declaration {
  return readFields(value, path, { faults, nulls: 'left out' }) as Declaration;
}

/** An action's declaration: null inside an object removes that member of the previous value. */
export function readDeclarationChange(value: unknown, path: string, faults: Faults): DeclarationChange {
  return readFields(value, path, { faults, nulls: 'kept' });
}

function readFields(value: unknown, path: string, reading: Reading): DeclarationChange {
  if (isObject(value)) return readObject(value, path, reading);
  reading.faults.add(path, 'must be an object that maps field ids to values');
  return {};
}

function readObject(source: Readonly<Record<string, unknown>>, where: Where, reading: Reading): DeclarationChange {
  const { faults, nulls } = reading;
  const result: Record<string, ChangeValue | null> = {};
  for (const key of Object.keys(source)) {
    const value = source[key];
    if (key === '__proto__' || !isWellFormedText(key)) {
      faults.add(at(where, key), `the key ${key === '__proto__' ? 'is refused' : WELL_FORMED_TEXT}`);
    } else if (value === null) {
      if (nulls === 'kept') result[key] = null;
    } else {
      result[key] = readValue(value, where, key, reading);
    }
  }
  checkFilePath(source, where, faults);
  return result;
}

function readValue(value: unknown, parent: Where, key: string | number, reading: Reading): ChangeValue {
  switch (typeof value) {
    case 'string':
      if (!isWellFormedText(value)) reading.faults.add(at(parent, key), WELL_FORMED_TEXT);
      return value;
    case 'number':
      // A number that a double cannot hold must not change silently.
      if (!Number.isFinite(value) || (Number.isInteger(value) && !Number.isSafeInteger(value))) {
        reading.faults.add(at(parent, key), 'must be a number that can be kept exactly; longer ones go in as text');
      }
      return value;
    case 'boolean':
      return value;
    default:
      return readContainer(value, inside(parent, key), reading);
  }
}

function readContainer(value: unknown, where: Inside, reading: Reading): ChangeValue {
  const { faults } = reading;
  if (where.depth > DEEPEST) {
    faults.add(at(where.parent, where.key), `must not be nested deeper than ${DEEPEST} levels`);
    return {};
  }
  if (Array.isArray(value)) {
    // A list is replaced as a whole, so null in it removes nothing.
    const ofMembers: Reading = { faults, nulls: 'left out' };
    return value.flatMap((member: unknown, index) =>
      member === null ? [] : [readValue(member, where, index, ofMembers)],
    );
  }
  if (isObject(value)) return readObject(value, where, reading);
  faults.add(at(where.parent, where.key), 'must be a JSON value');
  return {};
}

/** A relative path inside the storage bucket. */
function checkFilePath(value: Readonly<Record<string, unknown>>, where: Where, faults: Faults): void {
  const { path, originalFilename } = value;
  if (typeof path !== 'string' || typeof originalFilename !== 'string') return;
  if (path.startsWith('/') || path.split('/').includes('..')) {
    faults.add(at(where, 'path'), 'must be relative to the storage bucket: no leading / and no ..');
  }
}

/** A requested action's declaration; stored ones are read without the check of names. */
export function readDeclared(value: unknown, path: string, faults: Faults): DeclarationChange {
  const read = readDeclarationChange(value, path, faults);
  checkNames(read, path, faults);
  return read;
}

const PARTS_OF_NAME: readonly string[] = ['firstname', 'surname', 'middlename'];

/** A name may be empty, but not blank: nobody could find or correct it. */
export function checkNames(fields: DeclarationChange, path: string, faults: Faults): void {
  for (const [key, value] of Object.entries(fields)) checkNamesIn(value, inside(path, key), faults);
}

function checkNamesIn(value: ChangeValue | null, where: Inside, faults: Faults): void {
  if (typeof value !== 'object' || value === null) return;
  if (Array.isArray(value)) {
    value.forEach((member: ChangeValue, at) => {
      checkNamesIn(member, inside(where, at), faults);
    });
    return;
  }
  const members: readonly (readonly [string, ChangeValue | null])[] = Object.entries(value);
  const text = members.map(([, part]) => (typeof part === 'string' ? part : '')).join('');
  if (text !== '' && !isVisible(text) && members.every(([key]) => PARTS_OF_NAME.includes(key))) {
    faults.add(() => pathOf(where), 'must be a name with a visible character');
  }
  for (const [key, member] of members) checkNamesIn(member, inside(where, key), faults);
}
