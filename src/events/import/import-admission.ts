import { Injectable } from '@nestjs/common';

import { BodyPlaces } from '../../platform/queue/body-places.js';
import { ServiceError } from '../../kernel/errors/service-error.js';

/** Each holds some megabytes of its body, and the vocabulary that it has written. */
const MOST_AT_ONCE = 8;
/** How many wait for others that give way, and how long. */
const MOST_WAITING = MOST_AT_ONCE;
const WAIT_MS = 10_000;

/**
 * Limits imports over HTTP: how many run at a time in this process, and one less for one client. None of them
 * waits, unless a slow one gives way to it; too many are 503 SERVICE_UNAVAILABLE.
 */
@Injectable()
export class ImportAdmission extends BodyPlaces {
  constructor() {
    super({ atOnce: MOST_AT_ONCE, mostWaiting: MOST_WAITING, mayWait: false, waitMs: WAIT_MS, tooMany });
  }
}

const tooMany = (): ServiceError =>
  new ServiceError('SERVICE_UNAVAILABLE', 'Too many imports are under way; try again later', {
    // An import lasts as long as its client sends. Nothing more of its body is read.
    headers: { 'retry-after': '10', connection: 'close' },
    refusal: 'imports-full',
  });
