/**
 * What a record must bear for a test to be met, in marks: numbers that a record bears or does not. It may ask for less than
 * the test does, never for more: whoever does not meet it need not be tried.
 *
 * `marks`: one of these, which are all marks of one aspect. `each`: every part. `some`: at least one part.
 */
export type Requirement =
  | { readonly kind: 'marks'; readonly aspect: number; readonly marks: readonly number[] }
  | { readonly kind: 'each' | 'some'; readonly parts: readonly Requirement[] };

/** What nothing meets. */
export const UNMEETABLE: Requirement = { kind: 'some', parts: [] };

/** Every part is required; undefined where of no part it is known what it requires. */
export function eachRequired(parts: readonly (Requirement | undefined)[]): Requirement | undefined {
  const known = parts.filter((part) => part !== undefined);
  return known.length > 1 ? { kind: 'each', parts: known } : known[0];
}

/** One of the parts is required; undefined where of one part it is not known what it requires. */
export function someRequired(parts: readonly (Requirement | undefined)[]): Requirement | undefined {
  const known = parts.filter((part) => part !== undefined);
  if (known.length < parts.length) return undefined;
  return known.length === 1 ? known[0] : { kind: 'some', parts: known };
}
