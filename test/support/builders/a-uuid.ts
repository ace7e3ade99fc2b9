import { parseUuid, type Uuid } from '../../../src/kernel/domain/uuid.js';

let made = 0;

/**
 * The UUID of `number`: `00000003-0000-4000-8000-000000000003` for 3. Without a number, one that no other call yields.
 */
export function aUuid(number?: number): Uuid {
  const hex = (number ?? 0x1_0000 + made++).toString(16);
  const uuid = parseUuid(`${hex.padStart(8, '0')}-0000-4000-8000-${hex.padStart(12, '0')}`);
  if (uuid === undefined) throw new Error(`no UUID can be made of ${number ?? ''}`);
  return uuid;
}
