/** A declaration value that names a file. */
export interface FileValue {
  readonly path: string;
  readonly originalFilename?: unknown;
  readonly type?: unknown;
  readonly option?: unknown;
}

/** A path alone does not suffice; further members are allowed, since forms may add some. */
export function isFileValue(value: unknown): value is FileValue {
  if (typeof value !== 'object' || value === null) return false;
  const { path, originalFilename, type } = value as Readonly<Record<string, unknown>>;
  return typeof path === 'string' && (typeof originalFilename === 'string' || typeof type === 'string');
}

/** JSON without null inside objects: null removes a field. */
export type DeclarationValue =
  string | number | boolean | readonly DeclarationValue[] | { readonly [key: string]: DeclarationValue };

/** Field id to value; dots belong to the id: `child.name`. */
export type Declaration = Readonly<Record<string, DeclarationValue>>;

/** Field ids are data: inherited properties do not count. */
export const ownValue = (fields: Declaration, fieldId: string): DeclarationValue | undefined =>
  Object.hasOwn(fields, fieldId) ? fields[fieldId] : undefined;
