import { Injectable, Logger } from '@nestjs/common';

import { Refusals } from '../../access/refusals.js';
import { ServiceError } from '../../errors/service-error.js';
import { refusalOf } from './refusal-of.js';

/**
 * Writes down what the service must know of an error that a caller is told of: refusals, and the service's own faults.
 */
@Injectable()
export class ErrorNotes {
  private readonly log = new Logger(ErrorNotes.name);

  constructor(private readonly refusals: Refusals) {}

  /** `status` is that of the answer, `client` the `sub` of the caller's token or his address. */
  note(error: unknown, status: number, client: string): void {
    const refusal = refusalOf(error);
    if (refusal !== undefined) this.refusals.note(refusal, client);
    if (status === 500) this.log.error('request failed', error);
    const isExplained = error instanceof ServiceError && refusal !== undefined;
    if (status === 503 && !isExplained) this.log.warn('request could not be served now', error);
  }
}
