import { DAY_MS } from '../../domain/calendar.js';
import type { Entry } from '../events/entry.js';
import type { Official } from '../officials.js';
import type { Prng } from '../prng.js';
import type { RecordKeys } from '../record-keys.js';
import type { ActionLog } from './action-log.js';

/** An event on its way through the offices, and who works on it. */
export interface Case extends Entry {
  readonly log: ActionLog;
  readonly prng: Prng;
  readonly keys: RecordKeys;
  readonly agent: Official;
  readonly registrar: Official;
  readonly endMs: number;
}

/** What every step of a case yields: whether the case goes on after it. */
export type Outcome = 'goes on' | 'rests';

/** How soon the backlog fades that lies behind the offices at the end of the data. */
const BACKLOG_DAYS = 120;
/** Long enough to lie beyond the end of the data. */
const NOT_YET_DAYS = 1_500;

/**
 * The case lies in somebody's queue: mostly for days, now and then for months. Of the cases that come in at the very
 * end of the data, the share `backlog` is simply not done yet; of earlier ones fewer and fewer.
 */
export function waitInQueue({ log, prng, endMs }: Case, backlog: number): void {
  const daysLeft = (endMs - log.nowMs) / DAY_MS;
  if (prng.chance(backlog * Math.exp(-daysLeft / BACKLOG_DAYS))) log.daysPass(NOT_YET_DAYS, NOT_YET_DAYS);
  else if (prng.chance(0.1)) log.daysPass(20, 160);
  else log.daysPass(1, 12);
}
