/** Where in a declaration: the field id, and the keys that maps go through below it. */
export type DataPath = string & { readonly dataPath: unique symbol };

/** The declaration itself. */
export const DATA = 'data' as DataPath;

export const memberOf = (path: DataPath, key: string): DataPath => `${path}/${key}` as DataPath;

/** A field of the declaration. */
export const fieldOf = (fieldId: string): DataPath => memberOf(DATA, fieldId);

/** The field id of a field of the declaration. */
export const keyOf = (field: DataPath): string => field.slice(DATA.length + 1);

/** Whatever lies inside the values of a field, at any depth. */
export const insideOf = (field: DataPath): DataPath => memberOf(field, '');
