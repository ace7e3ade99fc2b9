import { Injectable } from '@nestjs/common';

import type { Caller } from '../../access/caller.js';
import { ServiceError } from '../../errors/service-error.js';
import { FairQueue, QueueFull } from '../../access/fair-queue.js';

/** Each holds some megabytes of its body, and the vocabulary that it has written. */
const MOST_AT_ONCE = 8;

/** An import lasts as long as its client sends. */
const RETRY_AFTER_SECONDS = '10';

/**
 * Limits imports over HTTP: how many run at a time in this process, and one less for one client. None of them
 * waits.
 */
@Injectable()
export class ImportAdmission {
  private readonly imports = new FairQueue({ atOnce: MOST_AT_ONCE, mostWaiting: 0 });

  /** Throws 503 SERVICE_UNAVAILABLE when there are too many. */
  async run<T>({ subject }: Pick<Caller, 'subject'>, hungUp: AbortSignal, work: () => Promise<T>): Promise<T> {
    try {
      return await this.imports.run(subject, hungUp, work);
    } catch (error) {
      if (!(error instanceof QueueFull)) throw error;
      throw new ServiceError('SERVICE_UNAVAILABLE', 'Too many imports are under way; try again later', {
        // Nothing more of its body is read.
        headers: { 'retry-after': RETRY_AFTER_SECONDS, connection: 'close' },
        refusal: 'imports-full',
        cause: error,
      });
    }
  }
}
