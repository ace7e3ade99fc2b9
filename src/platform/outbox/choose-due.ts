import type { Uuid } from '../../kernel/domain/uuid.js';
import { type Pace, PACES } from './pace.js';

/** How many rows of an outbox are claimed at a time. Slow ones have a separate share, so that others find a place. */
export interface ClaimBounds {
  readonly all: number;
  readonly ofPace: Readonly<Record<Pace, number>>;
  readonly ofAKind: Readonly<Record<Pace, number>>;
  /** By one look at what is due. */
  readonly atATime: number;
}

/** The number of rows of one kind that are claimed, and that are due. */
export interface Due {
  readonly claimed: number;
  /** In the order in which they became due. */
  readonly due: readonly Uuid[];
}

/** How soon the exchanges of a kind are answered. */
export type PaceOf<K> = (kind: K) => Pace;

/**
 * Which of those that are due to claim. Kinds share what is free, one at a time, quick ones first;
 * whatever hangs holds its own share (W-9).
 */
export function chooseDue<K>(kinds: readonly (K & Due)[], paceOf: PaceOf<K>, bounds: ClaimBounds): readonly Uuid[] {
  const queues = kinds.map((kind) => ({ pace: paceOf(kind), claimed: kind.claimed, due: kind.due, next: 0 }));
  const claimedOf = (some: typeof queues): number => some.reduce((sum, { claimed }) => sum + claimed, 0);
  let free = Math.min(bounds.atATime, bounds.all - claimedOf(queues));
  const chosen: Uuid[] = [];
  for (const pace of PACES) {
    const alike = queues.filter((queue) => queue.pace === pace);
    let ofPace = bounds.ofPace[pace] - claimedOf(alike);
    for (let progress = true; progress;) {
      progress = false;
      for (const queue of alike) {
        const id = queue.due[queue.next];
        const isFull = free <= 0 || ofPace <= 0 || queue.claimed + queue.next >= bounds.ofAKind[pace];
        if (id === undefined || isFull) continue;
        chosen.push(id);
        queue.next += 1;
        free -= 1;
        ofPace -= 1;
        progress = true;
      }
    }
  }
  return chosen;
}
