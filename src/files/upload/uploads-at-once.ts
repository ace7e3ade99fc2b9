import { Injectable } from '@nestjs/common';

import type { Caller } from '../../access/caller.js';
import { ServiceError } from '../../errors/service-error.js';
import { FairQueue, QueueFull } from '../../access/fair-queue.js';

/** How many are received at a time in this process; with S3 each holds up to ten megabytes. */
const AT_ONCE = 24;
const OF_ONE_CLIENT = 4;
const MOST_WAITING = 200;
/** The longest wait for a turn. */
const WAIT_MS = 10_000;

/** Limits uploads: how many are received at a time, and how many of them for one client. */
@Injectable()
export class UploadsAtOnce {
  private readonly uploads = new FairQueue({ atOnce: AT_ONCE, ofOne: OF_ONE_CLIENT, mostWaiting: MOST_WAITING });

  /** Runs the work in its turn; nothing is read of a body that waits. Throws 503 SERVICE_UNAVAILABLE without a turn. */
  async run<T>({ subject }: Pick<Caller, 'subject'>, hungUp: AbortSignal, work: () => Promise<T>): Promise<T> {
    const waited = AbortSignal.timeout(WAIT_MS);
    try {
      return await this.uploads.run(subject, AbortSignal.any([hungUp, waited]), work);
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
