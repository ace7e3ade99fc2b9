import { Inject, Injectable } from '@nestjs/common';
import { type Config, CONFIG } from '../../platform/config/config.js';
import { ERROR_MESSAGES } from '../errors/error-answer.js';
import { MinuteLimit } from './minute-limit.js';
import { RedisConnection } from './redis-connection.js';

/** Counts the requests of every caller (G-8), if `RATE_LIMIT_PER_MINUTE` sets a limit. */
@Injectable()
export class ClientRateLimit {
  private readonly limit: MinuteLimit | undefined;

  constructor(
    @Inject(CONFIG) { RATE_LIMIT_PER_MINUTE: most }: Pick<Config, 'RATE_LIMIT_PER_MINUTE'>,
    redis: RedisConnection,
  ) {
    const answer = { message: ERROR_MESSAGES.TOO_MANY_REQUESTS, refusal: 'rate-limit' } as const;
    this.limit = most === 0 ? undefined : new MinuteLimit(redis, 'requests', most, answer);
  }

  /** Counts one request of `subject`. Throws 429 with `Retry-After` above the limit. */
  async take(subject: string): Promise<void> {
    await this.limit?.take(subject);
  }
}
