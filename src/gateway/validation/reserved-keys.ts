import type { Faults } from '../../errors/faults.js';
import { memberPath } from '../../errors/issue-path.js';

/** No DTO has such a member, and on the way into one they would vanish unnoticed. */
const RESERVED = new Set(['__proto__', 'constructor', 'prototype']);

/** Whether it may have keys. */
export const isObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Notes every key of `value`, at any depth, that JavaScript keeps for itself (S-2). */
export function addReservedKeyFaults(faults: Faults, value: object, path = ''): void {
  for (const [key, member] of Object.entries(value)) {
    const memberAt = memberPath(path, Array.isArray(value) ? Number(key) : key);
    if (RESERVED.has(key)) faults.add(memberAt, 'is not a known key');
    else if (typeof member === 'object' && member !== null) addReservedKeyFaults(faults, member as object, memberAt);
  }
}
