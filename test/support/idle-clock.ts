import { setTimeout as sleep } from 'node:timers/promises';

import type { Queryable } from '../../src/platform/database/connection/queryable.js';
import { sql } from '../../src/kernel/sql/sql.js';

const TURN_MS = 20;

/** A short wait, and a question to the database. */
async function turn(database: Queryable): Promise<void> {
  await sleep(TURN_MS);
  await database.query(sql`select`);
}

/**
 * Whether something comes true within a time that is promised, by the clock of an idle machine: it is counted in turns
 * of the event loop and of the database. On a busy machine each of them takes longer, as all else does.
 */
export async function comesTrueWithin(mostMs: number, database: Queryable, holds: () => boolean): Promise<boolean> {
  for (let passedMs = 0; !holds(); passedMs += TURN_MS) {
    if (passedMs > mostMs) return false;
    await turn(database);
  }
  return true;
}

/** How long some work takes, by the same clock. */
export async function idleMsOf(database: Queryable, work: () => Promise<unknown>): Promise<number> {
  let passedMs = 0;
  let isDone = false;
  const working = work().finally(() => {
    isDone = true;
  });
  working.catch(() => undefined);
  await comesTrueWithin(Infinity, database, () => {
    passedMs += TURN_MS;
    return isDone;
  });
  await working;
  return passedMs;
}
