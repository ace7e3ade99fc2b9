import { createHash, randomUUID } from 'node:crypto';

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

/** UUID version 5 (RFC 9562): deterministic for each part of each id. */
export function derivedUuid(id: Uuid, part: string): Uuid {
  const hash = createHash('sha1')
    .update(Buffer.from(id.replaceAll('-', ''), 'hex'))
    .update(part)
    .digest();
  hash.writeUInt8((hash.readUInt8(6) & 0x0f) | 0x50, 6);
  hash.writeUInt8((hash.readUInt8(8) & 0x3f) | 0x80, 8);
  const hex = hash.toString('hex', 0, 16);
  const uuid = parseUuid(hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5'));
  if (uuid === undefined) throw new Error(`no UUID can be derived from ${id}`);
  return uuid;
}
