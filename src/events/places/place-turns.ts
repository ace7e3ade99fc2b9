import { Injectable } from '@nestjs/common';

import { ServiceError } from '../../kernel/errors/service-error.js';
import { FairQueue, turnInTime } from '../../platform/queue/fair-queue.js';

const MOST_CHANGES = 200;
const CHANGE_MS = 10_000;

/**
 * Queues changes of places, fairly by client. The table lock serializes them anyway, so that waiting ones must
 * hold no connections.
 */
@Injectable()
export class PlaceTurns {
  private readonly changes = new FairQueue({ atOnce: 1, mostWaiting: MOST_CHANGES });

  /** Throws 503 SERVICE_UNAVAILABLE for a full queue or a timeout. */
  change<T>(client: string, hungUp: AbortSignal, work: () => Promise<T>): Promise<T> {
    return turnInTime(this.changes, client, { waitMs: CHANGE_MS, hungUp, tooMany }, work);
  }
}

const tooMany = (): ServiceError =>
  new ServiceError('SERVICE_UNAVAILABLE', 'Too many requests concerning places are waiting; try again later', {
    headers: { 'retry-after': '1' },
    refusal: 'places-waiting',
  });
