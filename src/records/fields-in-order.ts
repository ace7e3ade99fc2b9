import type { Field, Fields, ValuesOf } from '../domain/record/event-record.js';

/**
 * Makes objects with the fields of a table, in its order; `readerOf` is asked once how the value of a field comes from a
 * source. Each object begins as a copy of one that has all the keys, so that they have one shape and are quick to make.
 */
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
