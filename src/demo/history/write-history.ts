import { YEAR_MS } from '../day.js';
import type { DemoAction } from '../demo-line.js';
import type { Entry } from '../events/entry.js';
import type { Prng } from '../prng.js';
import type { RecordKeys } from '../record-keys.js';
import { ActionLog } from './action-log.js';
import { liveOn } from './after-registration.js';
import { declare } from './declare.js';
import { register } from './register.js';
import { review } from './review.js';

/** Late registrations that the national office takes on. */
const TAKEN_ON = 0.3;

/** The actions of an event, oldest first, at least one: as far as they were taken before `endMs`. */
export function writeHistory(prng: Prng, entry: Entry, keys: RecordKeys, endMs: number): readonly DemoAction[] {
  const { ward, arrivedMs, happenedMs } = entry.vital;
  const isLate = arrivedMs - happenedMs > YEAR_MS;
  const log = new ActionLog(prng, arrivedMs, endMs);
  const one = {
    ...entry,
    log,
    prng,
    keys,
    agent: prng.pick(ward.agents),
    registrar: prng.pick(isLate && prng.chance(TAKEN_ON) ? ward.nationalRegistrars : ward.registrars),
    endMs,
  };
  if (declare(one) === 'goes on' && review(one) === 'goes on' && register(one) === 'goes on') liveOn(one);
  return log.actions;
}
