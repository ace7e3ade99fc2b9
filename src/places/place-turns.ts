import { Injectable } from '@nestjs/common';

import { ServiceError } from '../errors/service-error.js';
import { FairQueue, QueueFull, turnInTime } from '../access/fair-queue.js';

/** How many changes wait in a process. */
const MOST_CHANGES = 200;
/** How long a change waits for its turn. */
const CHANGE_MS = 10_000;
/** How many lists are written at a time. */
const MOST_LISTS = 1_000;

/**
 * Turns for what is done with places, client by client. Changes follow each other anyway, as they lock the table:
 * those that wait must not hold connections. Long lists are written in short steps, one step in each round of the event
 * loop, whoever has asked for how many.
 */
@Injectable()
export class PlaceTurns {
  private readonly changes = new FairQueue({ atOnce: 1, mostWaiting: MOST_CHANGES });
  private readonly steps = new FairQueue({ atOnce: 1, mostWaiting: MOST_LISTS });

  /** Runs a change. Throws 503 SERVICE_UNAVAILABLE if there is no room for it, or it has waited too long. */
  change<T>(client: string, hungUp: AbortSignal, work: () => Promise<T>): Promise<T> {
    return turnInTime(this.changes, client, { waitMs: CHANGE_MS, hungUp, tooMany }, work);
  }

  /**
   * Runs a step of a list, which takes some milliseconds. Throws 503 SERVICE_UNAVAILABLE if there is no room for it.
   */
  async step<T>(client: string, signal: AbortSignal, work: () => T): Promise<T> {
    try {
      return await this.steps.run(client, signal, async () => {
        const done = work();
        await new Promise(setImmediate);
        return done;
      });
    } catch (error) {
      if (error instanceof QueueFull) throw tooMany();
      throw error;
    }
  }
}

const tooMany = (): ServiceError =>
  new ServiceError('SERVICE_UNAVAILABLE', 'Too many requests concerning places are waiting; try again later', {
    headers: { 'retry-after': '1' },
    refusal: 'places-waiting',
  });
