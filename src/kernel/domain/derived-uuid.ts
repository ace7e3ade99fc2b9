import { createHash } from 'node:crypto';

import type { Uuid } from './uuid.js';
import { parseUuid } from './uuid.js';

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
