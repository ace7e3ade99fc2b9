import { Injectable } from '@nestjs/common';

import { BodyPlaces } from '../../platform/queue/body-places.js';
import { ServiceError } from '../../kernel/errors/service-error.js';

/** How many are received at a time in this process; with S3 each holds up to ten megabytes. */
const AT_ONCE = 24;
const OF_ONE_CLIENT = 4;
const MOST_WAITING = 200;
const WAIT_MS = 10_000;

/**
 * Limits uploads: how many are received at a time, and how many of them for one client. While others wait, slow
 * ones give way. Nothing is read of a body that waits; without a turn in time it is 503 SERVICE_UNAVAILABLE.
 */
@Injectable()
export class UploadsAtOnce extends BodyPlaces {
  constructor() {
    super({
      atOnce: AT_ONCE,
      ofOne: OF_ONE_CLIENT,
      mostWaiting: MOST_WAITING,
      mayWait: true,
      waitMs: WAIT_MS,
      tooMany,
    });
  }
}

const tooMany = (): ServiceError =>
  new ServiceError('SERVICE_UNAVAILABLE', 'Too many uploads are under way; try again later', {
    // Nothing of its body is read.
    headers: { 'retry-after': '10', connection: 'close' },
    refusal: 'uploads-full',
  });
