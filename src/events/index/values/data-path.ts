import { LRUCache } from 'lru-cache';

/** The field id, and nested keys. */
export type DataPath = string & { readonly dataPath: unique symbol };

/** The declaration itself. */
export const DATA = 'data' as DataPath;

export const memberOf = (path: DataPath, key: string): DataPath => `${path}/${key}` as DataPath;

/** Bounds the memory of invented fields; forms have some hundred. */
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

/** At any depth. */
export const insideOf = (field: DataPath): DataPath => memberOf(field, '');
