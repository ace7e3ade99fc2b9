import { Injectable } from '@nestjs/common';

import { ServiceError } from '../../kernel/errors/service-error.js';
import { FairQueue, turnInTime } from '../../platform/queue/fair-queue.js';

/** How many changes wait in a process. */
const MOST_CHANGES = 200;
/** How long a change waits for its turn. */
const CHANGE_MS = 10_000;

/**
 * Turns for changes of places, client by client. They follow each other anyway, as they lock the table: those that
 * wait must not hold connections.
 */
@Injectable()
export class PlaceTurns {
  private readonly changes = new FairQueue({ atOnce: 1, mostWaiting: MOST_CHANGES });

  /** Runs a change. Throws 503 SERVICE_UNAVAILABLE if there is no room for it, or it has waited too long. */
  change<T>(client: string, hungUp: AbortSignal, work: () => Promise<T>): Promise<T> {
    return turnInTime(this.changes, client, { waitMs: CHANGE_MS, hungUp, tooMany }, work);
  }
}

const tooMany = (): ServiceError =>
  new ServiceError('SERVICE_UNAVAILABLE', 'Too many requests concerning places are waiting; try again later', {
    headers: { 'retry-after': '1' },
    refusal: 'places-waiting',
  });
