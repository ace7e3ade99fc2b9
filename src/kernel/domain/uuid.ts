import { randomUUID } from 'node:crypto';

/**
 * A UUID in lower case. Interface, Resources: versions 1–8 with variant 8, 9, a or b, and the all-zero and all-`f`
 * UUIDs.
 */
export type Uuid = string & { readonly uuid: unique symbol };

const UUID =
  /^(?:[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}|0{8}-0{4}-0{4}-0{4}-0{12}|f{8}-f{4}-f{4}-f{4}-f{12})$/;

/** The UUID in `value`, in lower case; undefined if it is not one. */
export function parseUuid(value: unknown): Uuid | undefined {
  // Most input has a different length.
  if (typeof value !== 'string' || value.length !== 36) return undefined;
  const lower = value.toLowerCase();
  return UUID.test(lower) ? (lower as Uuid) : undefined;
}

/** A UUID in lower case, and any other text as it is: a UUID is one in any letter case (S-7). */
export const lowerUuid = (text: string): string => parseUuid(text) ?? text;

/** A random UUID (version 4), from a secure source. */
export const newUuid = (): Uuid => randomUUID() as Uuid;
