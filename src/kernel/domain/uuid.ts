import { randomUUID } from 'node:crypto';

/** Lower case. Versions 1–8 with variant 8, 9, a or b, and the all-zero and all-`f` UUIDs. */
export type Uuid = string & { readonly uuid: unique symbol };

const UUID =
  /^(?:[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}|0{8}-0{4}-0{4}-0{4}-0{12}|f{8}-f{4}-f{4}-f{4}-f{12})$/;

/** In lower case; undefined if not a UUID. */
export function parseUuid(value: unknown): Uuid | undefined {
  if (typeof value !== 'string' || value.length !== 36) return undefined;
  const lower = value.toLowerCase();
  return UUID.test(lower) ? (lower as Uuid) : undefined;
}

/** A UUID in lower case, any other text unchanged (S-7). */
export const lowerUuid = (text: string): string => parseUuid(text) ?? text;

/** Version 4, from a secure source. */
export const newUuid = (): Uuid => randomUUID() as Uuid;
