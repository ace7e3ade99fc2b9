import { createHash } from 'node:crypto';

import type { SortKey } from '../../../kernel/domain/search-request.js';

/** The scope of a cursor (S-15). */
export interface Walk {
  /** As JSON.parse made it. */
  readonly query: unknown;
  readonly sort: readonly SortKey[];
  /** `sub` of the access token. */
  readonly caller: string;
}

/** The order of keys in an object does not matter, the order of list items may. */
export const fingerprintOf = ({ query, sort, caller }: Walk): string =>
  createHash('sha256')
    .update(JSON.stringify([query, sort, caller], withSortedKeys))
    .digest()
    .subarray(0, 16)
    .toString('base64url');

const withSortedKeys = (_: string, value: unknown): unknown =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1)))
    : value;
