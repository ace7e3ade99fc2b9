/** JSON without null inside objects: null removes a field. */
export type DeclarationValue =
  string | number | boolean | readonly DeclarationValue[] | { readonly [key: string]: DeclarationValue };

/** Field id to value; dots belong to the id: `child.name`. */
export type Declaration = Readonly<Record<string, DeclarationValue>>;

/** Field ids are data: inherited properties do not count. */
export const ownValue = (fields: Declaration, fieldId: string): DeclarationValue | undefined =>
  Object.hasOwn(fields, fieldId) ? fields[fieldId] : undefined;
