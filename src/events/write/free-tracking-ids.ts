import { randomInt } from 'node:crypto';

import type { Queryable } from '../../platform/database/connection/queryable.js';
import { sql } from '../../kernel/sql/sql.js';

const CHARACTERS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ';
const LENGTH = 6;

/** Cryptographically random: 6 characters of `0-9A-Z`, perhaps taken. */
export const newTrackingId = (): string =>
  Array.from({ length: LENGTH }, () => CHARACTERS.charAt(randomInt(CHARACTERS.length))).join('');

/** One statement usually suffices: of a hundred million events, one id in twenty is taken. */
const SPARE = 4;
const ATTEMPTS = 100;

/** Unused. After a concurrent use the operation is repeated. */
export async function freeTrackingIds(
  transaction: Queryable,
  count: number,
  generate: () => string = newTrackingId,
): Promise<string[]> {
  const free = new Set<string>();
  for (let left = ATTEMPTS; free.size < count; left -= 1) {
    if (left === 0) throw new Error(`there are not ${count} free ones among ${ATTEMPTS} times as many tracking ids`);
    const ids = Array.from({ length: count - free.size + SPARE }, generate);
    const taken = await transaction.query<{ id: string }>(
      sql`select tracking_id as id from event where tracking_id = any (${ids}::text[])`,
    );
    const isTaken = new Set(taken.map(({ id }) => id));
    for (const id of ids) if (!isTaken.has(id)) free.add(id);
  }
  return [...free];
}
