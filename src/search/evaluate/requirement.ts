/**
 * What a record must have for a test to be true, in marks: numbers that a record has or does not have. It may require
 * less than the test, never more: a record that does not meet it need not be checked.
 *
 * `marks`: one of these, all of one aspect. `each`: every part. `some`: at least one part.
 */
export type Requirement =
  | { readonly kind: 'marks'; readonly aspect: number; readonly marks: readonly number[] }
  | { readonly kind: 'each' | 'some'; readonly parts: readonly Requirement[] };

/** Nothing meets it. */
export const UNMEETABLE: Requirement = { kind: 'some', parts: [] };

/** Requires every part; undefined if the requirement of no part is known. */
export function eachRequired(parts: readonly (Requirement | undefined)[]): Requirement | undefined {
  const known = parts.filter((part) => part !== undefined);
  return known.length > 1 ? { kind: 'each', parts: known } : known[0];
}

/** Requires one of the parts; undefined if the requirement of one part is not known. */
export function someRequired(parts: readonly (Requirement | undefined)[]): Requirement | undefined {
  const known = parts.filter((part) => part !== undefined);
  if (known.length < parts.length) return undefined;
  return known.length === 1 ? known[0] : { kind: 'some', parts: known };
}
