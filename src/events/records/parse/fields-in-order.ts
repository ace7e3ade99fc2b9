import type { Field, Fields, ValuesOf } from '../../../kernel/domain/event-record.js';

/**
 * Creates objects with the fields of a table, in its order; `readerOf` is called once for each field and returns how to
 * read its value from a source. Each object starts as a copy of one with all keys, so that they share one shape and are
 * fast to create.
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
