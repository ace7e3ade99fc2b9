import { Injectable } from '@nestjs/common';

import { KIB } from '../../../kernel/domain/bytes.js';
import type { Uuid } from '../../../kernel/domain/uuid.js';
import type { DueDelivery } from '../due-deliveries.js';

/** A delivery that has just been committed, and is due. */
export interface Offer {
  readonly subscriptionId: Uuid;
  /** The generation of the client's `sha_secret` as of the commit (W-15). */
  readonly currentShaSecret: number;
  readonly delivery: DueDelivery;
}

/** The lanes that this process holds. */
export interface HeldLanes {
  readonly holds: (subscriptionId: Uuid) => boolean;
  /** Whether the lane's session sees to it. */
  readonly offer: (offer: Offer) => boolean;
}

/** In UTF-16 units. A longer body is read from the database when its turn comes: what waits on a lane is in memory. */
export const MOST_OFFERED_CHARACTERS = 16 * KIB;

/**
 * Passes what this process has committed to the lanes that it holds, so that it is sent without a statement in between.
 * Only a short cut: what is not taken is announced, and found in the database (W-8).
 */
@Injectable()
export class LaneOffers {
  private lanes: HeldLanes | undefined;

  /** Where deliveries are made: not in a command. */
  to(lanes: HeldLanes): void {
    this.lanes = lanes;
  }

  holds(subscriptionId: Uuid): boolean {
    return this.lanes?.holds(subscriptionId) ?? false;
  }

  /** To be called after the commit; false if the lane is not held (any more). */
  offer(offer: Offer): boolean {
    return this.lanes?.offer(offer) ?? false;
  }
}
