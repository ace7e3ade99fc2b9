import {
  EVENT_STATUSES,
  type Field,
  type Fields,
  type FieldValues,
  POTENTIAL_DUPLICATE_FIELDS,
  type PotentialDuplicate,
  type ScalarValues,
  type ValuesOf,
} from '../../kernel/domain/event-record.js';
import { type Faults, memberPath } from '../../kernel/errors/faults.js';
import { DATE, INSTANT, Members, NAME, oneOf, type Reader, TEXT, USER_TYPE, UUID } from '../../kernel/input/readers.js';

/** In the table's order; `readerOf` is called once per field. Copies of one template share a shape, which is fast. */
export function fieldsInOrder<T extends Fields, Source>(
  fields: T,
  readerOf: <Key extends keyof T & string>(key: Key, field: Field) => (source: Source) => ValuesOf<T>[Key],
): (source: Source) => ValuesOf<T> {
  const entries = Object.entries(fields) as [keyof T & string, Field][];
  const empty = Object.fromEntries(entries.map(([key]) => [key, null])) as ValuesOf<T>;
  const readers = entries.map(([key, field]) => ({ key, read: readerOf(key, field) }));
  return (source) => {
    const made: { -readonly [Key in keyof T]: ValuesOf<T>[Key] } = { ...empty };
    for (const { key, read } of readers) made[key] = read(source);
    return made;
  };
}

const READERS: { readonly [Kind in keyof ScalarValues]: Reader<ScalarValues[Kind]> } = {
  uuid: UUID,
  instant: INSTANT,
  date: DATE,
  name: NAME,
  text: TEXT,
  userType: USER_TYPE,
  status: oneOf(EVENT_STATUSES),
};

type Parse<T> = (value: unknown, path: string, faults: Faults) => T;

type Parsers<T extends Fields> = {
  readonly [Kind in Exclude<T[keyof T]['kind'], keyof ScalarValues>]: Parse<FieldValues[Kind]>;
};

/** Reads the table's members and records every fault; ignores others. */
export function fieldsParser<T extends Fields>(fields: T, parsers: Parsers<T>): (members: Members) => ValuesOf<T> {
  const others: Readonly<Partial<Record<string, Parse<unknown>>>> = parsers;
  return fieldsInOrder(fields, (key, field) => {
    const read = memberReader(key, field, others[field.kind]);
    return (members: Members) => read(members) as ValuesOf<T>[typeof key];
  });
}

function memberReader(key: string, field: Field, parse: Parse<unknown> | undefined): (members: Members) => unknown {
  if (parse !== undefined) return (members) => members.parsed(key, parse);
  const reader: Reader<unknown> = READERS[field.kind as keyof ScalarValues];
  return field.isNullable ? (members) => members.nullable(key, reader) : (members) => members.required(key, reader);
}

const KEYS = new Set(Object.keys(POTENTIAL_DUPLICATE_FIELDS));
const parseDuplicate = fieldsParser(POTENTIAL_DUPLICATE_FIELDS, {});

/** A list of `{id, trackingId}`; other keys are refused or ignored. */
export function parsePotentialDuplicates(
  value: unknown,
  path: string,
  faults: Faults,
  otherKeys: 'refused' | 'ignored',
): readonly PotentialDuplicate[] {
  if (!Array.isArray(value)) {
    faults.add(path, 'must be a list of {id, trackingId}');
    return [];
  }
  return value.flatMap((item: unknown, at) => {
    const members = Members.of(item, memberPath(path, at), faults);
    if (members === undefined) return [];
    if (otherKeys === 'refused') members.refuseOthersThan(KEYS);
    return [parseDuplicate(members)];
  });
}
