import { Injectable } from '@nestjs/common';

import type { Sender } from '../../access/bodies/body-places.js';
import { BodyPlaces } from '../../access/bodies/body-places.js';
import { QueueFull } from '../../access/fair-queue.js';
import { ServiceError } from '../../errors/service-error.js';

/** Each holds some megabytes of its body, and the vocabulary that it has written. */
const MOST_AT_ONCE = 8;
/** How long one waits for another that gives way, and how many do. */
const WAIT_MS = 10_000;
const MOST_WAITING = MOST_AT_ONCE;

/** An import lasts as long as its client sends. */
const RETRY_AFTER_SECONDS = '10';

/**
 * Limits imports over HTTP: how many run at a time in this process, and one less for one client. None of them
 * waits, unless a slow one gives way to it.
 */
@Injectable()
export class ImportAdmission {
  private readonly places = new BodyPlaces({ atOnce: MOST_AT_ONCE, mostWaiting: MOST_WAITING, mayWait: false });

  /** Throws 503 SERVICE_UNAVAILABLE when there are too many. */
  async run<T>(sender: Sender, work: () => Promise<T>): Promise<T> {
    const waited = AbortSignal.timeout(WAIT_MS);
    try {
      return await this.places.run({ ...sender, signal: AbortSignal.any([sender.signal, waited]) }, work);
    } catch (error) {
      if (!(error instanceof QueueFull) && error !== waited.reason) throw error;
      throw new ServiceError('SERVICE_UNAVAILABLE', 'Too many imports are under way; try again later', {
        // Nothing more of its body is read.
        headers: { 'retry-after': RETRY_AFTER_SECONDS, connection: 'close' },
        refusal: 'imports-full',
        cause: error,
      });
    }
  }
}
