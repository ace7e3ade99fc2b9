import { Inject, Injectable } from '@nestjs/common';
import type { Redis } from 'ioredis';
import type { RateLimiterAbstract } from 'rate-limiter-flexible';
import { RateLimiterMemory, RateLimiterRedis, RateLimiterRes } from 'rate-limiter-flexible';

import type { Config } from '../../config/config.js';
import { CONFIG } from '../../config/config.js';
import { ServiceError } from '../../errors/service-error.js';
import { ERROR_MESSAGES } from '../errors/error-messages.js';
import { RedisConnection } from './redis-connection.js';

/** Counts the requests of every caller (G-8), if `RATE_LIMIT_PER_MINUTE` sets a limit. */
@Injectable()
export class ClientRateLimit {
  /** Undefined: there is no limit, and nothing to count. */
  readonly limiter: RateLimiterAbstract | undefined;

  constructor(@Inject(CONFIG) config: Pick<Config, 'RATE_LIMIT_PER_MINUTE'>, redis: RedisConnection) {
    const perMinute = config.RATE_LIMIT_PER_MINUTE;
    this.limiter = perMinute === 0 ? undefined : limiterOf(perMinute, redis.client);
  }

  /** Counts one request of `subject`. Throws 429 with `Retry-After` above the limit. */
  async take(subject: string): Promise<void> {
    try {
      await this.limiter?.consume(subject);
    } catch (outcome) {
      if (!(outcome instanceof RateLimiterRes)) throw outcome;
      const retryAfterSeconds = Math.max(1, Math.ceil(outcome.msBeforeNext / 1_000));
      throw new ServiceError('TOO_MANY_REQUESTS', ERROR_MESSAGES.TOO_MANY_REQUESTS, {
        headers: { 'retry-after': String(retryAfterSeconds) },
        refusal: 'rate-limit',
      });
    }
  }
}

/** Counts in Redis, for all processes, if there is one; in memory without it, and while it does not answer. */
function limiterOf(perMinute: number, redis: Redis | undefined): RateLimiterAbstract {
  const options = { keyPrefix: 'matricula:requests', points: perMinute, duration: 60 };
  const inMemory = new RateLimiterMemory(options);
  if (redis === undefined) return inMemory;
  return new RateLimiterRedis({
    ...options,
    storeClient: redis,
    rejectIfRedisNotReady: true,
    insuranceLimiter: inMemory,
  });
}
