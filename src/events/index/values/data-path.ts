import { LRUCache } from 'lru-cache';

/** A position in a declaration: the field id, and the keys of nested maps below it. */
export type DataPath = string & { readonly dataPath: unique symbol };

/** The declaration itself. */
export const DATA = 'data' as DataPath;

/** The path of a key inside the value at `path`. */
export const memberOf = (path: DataPath, key: string): DataPath => `${path}/${key}` as DataPath;

/** Forms have some hundred fields; made-up ones must not fill the memory. */
const MOST_FIELDS = 2_000;

const fields = new LRUCache<string, DataPath>({ max: MOST_FIELDS });

/** A field of the declaration. */
export function fieldOf(fieldId: string): DataPath {
  const known = fields.get(fieldId);
  if (known !== undefined) return known;
  const path = memberOf(DATA, fieldId);
  fields.set(fieldId, path);
  return path;
}

/** The field id of a field of the declaration. */
export const keyOf = (field: DataPath): string => field.slice(DATA.length + 1);

/** Everything inside the values of a field, at any depth. */
export const insideOf = (field: DataPath): DataPath => memberOf(field, '');

/** No path: stands for all beyond those that a process tells apart, and what occurs at any of them is kept as one. */
export const BEYOND = 'beyond' as DataPath;
