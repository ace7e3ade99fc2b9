import { Injectable } from '@nestjs/common';

import { BodyPlaces } from '../../platform/queue/body-places.js';
import { ServiceError } from '../../kernel/errors/service-error.js';

/** Per process; with S3, each holds up to ten megabytes. */
const AT_ONCE = 24;
const OF_ONE_CLIENT = 4;
const MOST_WAITING = 200;
const WAIT_MS = 10_000;

/**
 * Limits concurrent uploads in total and per client; slow ones give way. Waiting bodies stay unread. Throws 503
 * SERVICE_UNAVAILABLE after a timeout.
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
    // The body stays unread.
    headers: { 'retry-after': '10', connection: 'close' },
    refusal: 'uploads-full',
  });
