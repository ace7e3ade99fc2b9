import { LRUCache } from 'lru-cache';

/** The field id, and the keys of nested maps. */
export type DataPath = string & { readonly dataPath: unique symbol };

/** The declaration itself. */
export const DATA = 'data' as DataPath;

export const memberOf = (path: DataPath, key: string): DataPath => `${path}/${key}` as DataPath;

/** Forms have some hundred fields; invented ones must not fill the memory. */
const MOST_FIELDS = 2_000;

const fields = new LRUCache<string, DataPath>({ max: MOST_FIELDS });

export function fieldOf(fieldId: string): DataPath {
  const known = fields.get(fieldId);
  if (known !== undefined) return known;
  const path = memberOf(DATA, fieldId);
  fields.set(fieldId, path);
  return path;
}

export const keyOf = (field: DataPath): string => field.slice(DATA.length + 1);

/** Everything inside the values of a field, at any depth. */
export const insideOf = (field: DataPath): DataPath => memberOf(field, '');

/** Stands for all paths beyond the limit of a process. */
export const BEYOND = 'beyond' as DataPath;
