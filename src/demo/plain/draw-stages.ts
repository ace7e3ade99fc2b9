import { DAY_MS, HOUR_MS } from '../../domain/calendar.js';
import type { EventStatus } from '../../domain/record/event-status.js';
import { YEAR_MS } from '../day.js';
import type { Prng } from '../prng.js';
import { Weighted } from '../weighted.js';

const FATES = new Weighted([
  [75, 'REGISTERED'],
  [6, 'ARCHIVED'],
  [8, 'DECLARED'],
  [7, 'NOTIFIED'],
  [4, 'CREATED'],
] as const);

/** Work left undone is mostly recent: after so long, four of five of these records are registered after all. */
const SETTLED_AFTER_MS = 1.5 * YEAR_MS;
const SETTLED = 0.8;

/** How far a record has come, and when it came there. */
export interface Stages {
  readonly status: EventStatus;
  readonly declaredMs: number | undefined;
  readonly registeredMs: number | undefined;
  readonly updatedMs: number;
}

/** The stages of a record that came in at `arrivedMs`; none of them is later than `endMs`. */
export function drawStages(prng: Prng, arrivedMs: number, endMs: number): Stages {
  const after = (ms: number, mostDays: number): number =>
    ms + Math.floor(prng.between(0, mostDays) * DAY_MS + prng.unit() * HOUR_MS);
  const declaredMs = after(arrivedMs, 12);
  const registeredMs = after(declaredMs, 20);
  const archivedMs = after(declaredMs, 200);
  const drawn = FATES.draw(prng);
  const isSettled = endMs - arrivedMs > SETTLED_AFTER_MS && prng.chance(SETTLED);
  const fate = drawn !== 'ARCHIVED' && isSettled ? 'REGISTERED' : drawn;

  if (fate === 'CREATED') return { status: fate, declaredMs: undefined, registeredMs: undefined, updatedMs: arrivedMs };
  if (fate === 'NOTIFIED' || declaredMs > endMs) {
    return { status: 'NOTIFIED', declaredMs: undefined, registeredMs: undefined, updatedMs: arrivedMs };
  }
  if (fate === 'ARCHIVED' && archivedMs <= endMs) {
    return { status: fate, declaredMs, registeredMs: undefined, updatedMs: archivedMs };
  }
  if (fate === 'REGISTERED' && registeredMs <= endMs) {
    // A certificate that was printed later is a change too.
    const printedMs = after(registeredMs, 300);
    const updatedMs = prng.chance(0.4) && printedMs <= endMs ? printedMs : registeredMs;
    return { status: fate, declaredMs, registeredMs, updatedMs };
  }
  return { status: 'DECLARED', declaredMs, registeredMs: undefined, updatedMs: declaredMs };
}
