/** A JSON value without null inside objects (null removes a field: interface, `declaration`). */
export type DeclarationValue =
  string | number | boolean | readonly DeclarationValue[] | { readonly [key: string]: DeclarationValue };

/** Field id (dots belong to the id: `child.name`) to value; the shapes of values are those of the interface. */
export type Declaration = Readonly<Record<string, DeclarationValue>>;

/** The value of a field. Field ids are data: what every object inherits is none. */
export const ownValue = (fields: Declaration, fieldId: string): DeclarationValue | undefined =>
  Object.hasOwn(fields, fieldId) ? fields[fieldId] : undefined;
