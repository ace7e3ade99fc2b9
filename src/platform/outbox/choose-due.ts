import type { Uuid } from '../../kernel/domain/uuid.js';
import { type Pace, PACES } from './pace.js';

/** What of one outbox is under way at a time, over all processes (E-15). */
const MOST_AT_A_TIME = 20;
/** Of these, those of one kind; a kind that has not been answered within a second lately gets few. */
const MOST_OF_A_KIND: Readonly<Record<Pace, number>> = { quick: 15, unknown: 5, slow: 5 };
/** All that are slow together: the others always find a place. */
const MOST_SLOW = 10;

/** What of one kind is claimed, and what of it is due. */
export interface Due {
  readonly claimed: number;
  /** In the order in which they became due. */
  readonly due: readonly Uuid[];
}

/** How soon what is of the kind is answered. */
export type PaceOf<K> = (kind: K) => Pace;

/**
 * Which of those that are due to claim. Kinds share what is free, one at a time, quick ones first;
 * whatever hangs holds its own share (W-9).
 */
export function chooseDue<K>(kinds: readonly (K & Due)[], paceOf: PaceOf<K>): readonly Uuid[] {
  const lanes = kinds.map((kind) => {
    const pace = paceOf(kind);
    return { pace, claimed: kind.claimed, due: kind.due, next: 0 };
  });
  const isSlow = ({ pace }: { readonly pace: Pace }): boolean => pace === 'slow';
  let free = MOST_AT_A_TIME - lanes.reduce((sum, { claimed }) => sum + claimed, 0);
  let freeSlow = MOST_SLOW - lanes.filter(isSlow).reduce((sum, { claimed }) => sum + claimed, 0);
  const chosen: Uuid[] = [];
  for (const pace of PACES) {
    const alike = lanes.filter((lane) => lane.pace === pace);
    for (let progress = true; progress && free > 0;) {
      progress = false;
      for (const lane of alike) {
        const id = lane.due[lane.next];
        if (id === undefined || free <= 0 || lane.claimed + lane.next >= MOST_OF_A_KIND[pace]) continue;
        if (pace === 'slow' && freeSlow <= 0) continue;
        chosen.push(id);
        lane.next += 1;
        free -= 1;
        if (pace === 'slow') freeSlow -= 1;
        progress = true;
      }
    }
  }
  return chosen;
}

/** The most that could be chosen of one kind. */
export const MOST_DUE_OF_A_KIND = MOST_OF_A_KIND.quick;
