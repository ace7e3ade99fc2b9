import type { Field, Fields, ValuesOf } from '../../../kernel/domain/event-record.js';

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
