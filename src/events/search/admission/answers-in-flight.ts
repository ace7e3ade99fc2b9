import { Injectable } from '@nestjs/common';

import { ServiceError } from '../../../errors/service-error.js';

/** What answers may hold together: they are held until their clients have taken them. */
const MOST_BYTES = 256 * 1_024 * 1_024;

const RETRY_AFTER_SECONDS = '1';

/** Bounds the memory of whole answers on their way, so that slow clients cannot fill it. Large pages are never held whole. */
@Injectable()
export class AnswersInFlight {
  private bytes = 0;

  /**
   * Notes an answer of so many bytes until `untilClosed` calls back. Throws 503 SERVICE_UNAVAILABLE when there is no room beside the others.
   */
  hold(bytes: number, untilClosed: (release: () => void) => void): void {
    if (this.bytes > 0 && this.bytes + bytes > MOST_BYTES) {
      throw new ServiceError('SERVICE_UNAVAILABLE', 'Too many answers wait for their clients to take them', {
        headers: { 'retry-after': RETRY_AFTER_SECONDS },
        refusal: 'answers-held',
      });
    }
    this.bytes += bytes;
    untilClosed(() => {
      this.bytes -= bytes;
    });
  }
}
