import { Injectable } from '@nestjs/common';

import type { Sender } from '../../access/bodies/body-places.js';
import { BodyPlaces } from '../../access/bodies/body-places.js';
import { QueueFull } from '../../access/fair-queue.js';
import { ServiceError } from '../../errors/service-error.js';

/** How many are received at a time in this process; with S3 each holds up to ten megabytes. */
const AT_ONCE = 24;
const OF_ONE_CLIENT = 4;
const MOST_WAITING = 200;
/** The longest wait for a turn. */
const WAIT_MS = 10_000;

/**
 * Limits uploads: how many are received at a time, and how many of them for one client. While others wait, slow
 * ones give way.
 */
@Injectable()
export class UploadsAtOnce {
  private readonly places = new BodyPlaces({
    atOnce: AT_ONCE,
    ofOne: OF_ONE_CLIENT,
    mostWaiting: MOST_WAITING,
    mayWait: true,
  });

  /** Runs the work in its turn; nothing is read of a body that waits. Throws 503 SERVICE_UNAVAILABLE without a turn. */
  async run<T>(sender: Sender, work: () => Promise<T>): Promise<T> {
    const waited = AbortSignal.timeout(WAIT_MS);
    try {
      return await this.places.run({ ...sender, signal: AbortSignal.any([sender.signal, waited]) }, work);
    } catch (error) {
      if (!(error instanceof QueueFull) && error !== waited.reason) throw error;
      throw new ServiceError('SERVICE_UNAVAILABLE', 'Too many uploads are under way; try again later', {
        // Nothing of its body is read.
        headers: { 'retry-after': '10', connection: 'close' },
        refusal: 'uploads-full',
        cause: error,
      });
    }
  }
}
