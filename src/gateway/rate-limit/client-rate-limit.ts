import { Inject, Injectable } from '@nestjs/common';
import type { RateLimiterAbstract } from 'rate-limiter-flexible';

import type { Config } from '../../config/config.js';
import { CONFIG } from '../../config/config.js';
import { ServiceError } from '../../errors/service-error.js';
import { ERROR_MESSAGES } from '../errors/error-messages.js';
import { consume, createLimiter } from './limiter.js';
import { RedisConnection } from './redis-connection.js';

/** Counts the requests of every caller (G-8), if `RATE_LIMIT_PER_MINUTE` sets a limit. */
@Injectable()
export class ClientRateLimit {
  /** Undefined: there is no limit, and nothing to count. */
  readonly limiter: RateLimiterAbstract | undefined;

  constructor(@Inject(CONFIG) config: Pick<Config, 'RATE_LIMIT_PER_MINUTE'>, redis: RedisConnection) {
    const perMinute = config.RATE_LIMIT_PER_MINUTE;
    this.limiter = perMinute === 0 ? undefined : createLimiter({ name: 'requests', perMinute }, redis.client);
  }

  /** Counts one request of `subject`. Throws 429 with `Retry-After` above the limit. */
  async take(subject: string): Promise<void> {
    if (this.limiter === undefined) return;
    const retryAfterSeconds = await consume(this.limiter, subject);
    if (retryAfterSeconds === undefined) return;
    throw new ServiceError('TOO_MANY_REQUESTS', ERROR_MESSAGES.TOO_MANY_REQUESTS, {
      headers: { 'retry-after': String(retryAfterSeconds) },
      refusal: 'rate-limit',
    });
  }
}
